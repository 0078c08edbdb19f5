// SPDX-License-Identifier: MIT
#include "engine/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <forklift/detail/taken.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift::engine {
namespace {

std::string text_of(const std::optional<std::uint64_t>& value) {
  return value.has_value() ? std::to_string(*value) : "none";
}

void expect_same(std::string_view what, const std::string& saved, const std::string& own) {
  if (saved != own) {
    throw StateError(
        fmt::format("the state is of a loader with {} {}, and this one has {}", what, saved, own));
  }
}

// What no pass can have taken.
void check_counts(const detail::LoaderSnapshot& snapshot) {
  const detail::PassSnapshot& pass = *snapshot.pass;
  std::uint64_t sum = 0;
  bool overflows = false;
  for (const std::uint64_t batches : pass.by_stream) {
    overflows = overflows || __builtin_add_overflow(sum, batches, &sum);
  }
  const bool fits =
      snapshot.is_iterable
          ? !overflows && sum == pass.batches && pass.samples == 0 && pass.missing.empty()
          : pass.by_stream.empty() && pass.streams.empty() &&
                // The lists of a batch sampler may be empty.
                (!snapshot.batch_size.has_value() ||
                 pass.samples >= pass.batches - pass.missing.size()) &&
                pass.samples_before <= pass.samples &&
                pass.batches_before <= (pass.missing.empty() ? pass.batches : pass.missing.front());
  if (!fits) {
    throw StateError(fmt::format(
        "the state counts {} batches, {} of them missing, {} of its streams and {} samples, which "
        "do not go together",
        pass.batches,
        pass.missing.size(),
        sum,
        pass.samples));
  }
}

void check_generator(const std::optional<detail::GeneratorBlob>& blob) {
  try {
    if (blob.has_value()) {
      Generator().set_state(*blob);
    }
  } catch (const InvalidOptions& error) {
    throw StateError(fmt::format("the state holds no generator's state: {}", error.what()));
  }
}

detail::Taken taken_of(const detail::LoaderSnapshot& snapshot) {
  detail::Taken taken;
  if (snapshot.pass.has_value()) {
    taken = {.within_pass = true,
             .samples = snapshot.pass->samples,
             .has_gaps = !snapshot.pass->missing.empty()};
  }
  return taken;
}

}  // namespace

detail::LoaderSnapshot describe(const detail::ResolvedOptions& options,
                                std::optional<std::uint64_t> dataset_size) {
  detail::LoaderSnapshot out;
  out.is_iterable = options.is_iterable;
  out.dataset_size = dataset_size;
  out.sampler = options.is_iterable ? std::string() : options.batches.type();
  if (options.generator.has_value()) {
    out.seed = options.generator->initial_seed();
  }
  out.batch_size =
      options.is_iterable ? options.batch_size.value_or(1) : options.batches.batch_size();
  return out;
}

bool reads_again(const detail::PassSnapshot& pass) {
  for (std::size_t stream = 0; stream < pass.by_stream.size(); ++stream) {
    if (pass.by_stream[stream] > 0 && !pass.streams[stream].has_value()) {
      return true;
    }
  }
  return false;
}

void check_fits(const detail::LoaderSnapshot& snapshot,
                const detail::ResolvedOptions& options,
                std::optional<std::uint64_t> dataset_size) {
  const detail::LoaderSnapshot own = describe(options, dataset_size);
  const auto kind = [](bool is_iterable) { return is_iterable ? "iterable" : "map-style"; };
  expect_same("a dataset that is", kind(snapshot.is_iterable), kind(own.is_iterable));
  expect_same("dataset length", text_of(snapshot.dataset_size), text_of(own.dataset_size));
  expect_same("sampler", snapshot.sampler, own.sampler);
  expect_same("generator seed", text_of(snapshot.seed), text_of(own.seed));
  if (snapshot.generator.has_value() != options.generator.has_value()) {
    throw StateError(fmt::format("the state {} a generator's state, and this loader has {}",
                                 snapshot.generator.has_value() ? "holds" : "lacks",
                                 options.generator.has_value() ? "a generator" : "none"));
  }
  check_generator(snapshot.generator);
  check_generator(snapshot.source);
  if (!snapshot.pass.has_value()) {
    return;
  }
  if (!snapshot.base_seed.has_value() || !snapshot.sample_seed.has_value()) {
    throw StateError("the state stopped within a pass and lacks the pass's seeds");
  }
  check_counts(snapshot);
  if (!snapshot.pass->missing.empty()) {
    expect_same("batches taken out of order and batch_size",
                text_of(snapshot.batch_size),
                text_of(own.batch_size));
  }
  if (snapshot.is_iterable) {
    expect_same("batch_size", text_of(snapshot.batch_size), text_of(own.batch_size));
    if (snapshot.pass->streams.size() != snapshot.pass->by_stream.size() ||
        snapshot.pass->last_stream >= snapshot.pass->by_stream.size()) {
      throw StateError("the state lacks an entry for each stream");
    }
    if (snapshot.pass->streams.size() > detail::kMostWorkers) {
      throw StateError(fmt::format("the state has {} streams, and no loader has more than {}",
                                   snapshot.pass->streams.size(),
                                   detail::kMostWorkers));
    }
  }
}

void check_one_stream_each(const detail::LoaderSnapshot& snapshot,
                           const detail::ResolvedOptions& options) {
  const std::size_t num_streams = snapshot.pass.has_value() ? snapshot.pass->streams.size() : 0;
  if (num_streams > std::max<std::size_t>(options.num_workers, 1)) {
    throw StateError(
        fmt::format("the dataset's iterate() returns a reference to one stream, so that no worker "
                    "can read two by turns: the state has {} streams, and this loader has "
                    "num_workers {}; allowed are {} or more",
                    num_streams,
                    options.num_workers,
                    num_streams));
  }
}

void restore_streams(const detail::LoaderSnapshot& snapshot,
                     const detail::ResolvedOptions& options) {
  // The sampler may refuse its state; a generator's was looked at before.
  if (!options.is_iterable) {
    options.batches.load_state_dict(snapshot.sampler_state, taken_of(snapshot));
  }
  if (snapshot.generator.has_value()) {
    auto generator = options.generator;
    generator->set_state(*snapshot.generator);
  }
}

}  // namespace forklift::engine
