// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <forklift/detail/rank_share.hpp>
#include <forklift/detail/shared_passes.hpp>
#include <forklift/detail/taken.hpp>
#include <forklift/error.hpp>

namespace forklift::detail {
namespace {

/// What the text of a state says.
struct Said {
  std::uint64_t has_seed = 0;
  std::uint64_t seed = 0;
  std::uint64_t length = 0;
  std::uint64_t num_replicas = 0;
  std::uint64_t rank = 0;
  std::uint64_t epoch = 0;
  std::uint64_t first = 0;
  std::uint64_t taken = 0;

  [[nodiscard]] std::string seed_text() const {
    return has_seed != 0 ? std::to_string(seed) : "none";
  }
};

Said describe(const RankShare& share, std::optional<std::uint64_t> seed) {
  Said said;
  said.has_seed = seed.has_value() ? 1 : 0;
  said.seed = seed.value_or(0);
  said.length = share.length();
  said.num_replicas = share.num_replicas();
  said.rank = share.rank();
  return said;
}

Said parse(const std::string& text) {
  Said said;
  const std::array numbers = {&said.has_seed,
                              &said.seed,
                              &said.length,
                              &said.num_replicas,
                              &said.rank,
                              &said.epoch,
                              &said.first,
                              &said.taken};
  const char* at = text.data();
  const char* const end = at + text.size();
  bool is_state = true;
  for (std::uint64_t* number : numbers) {
    const auto [stop, error] = std::from_chars(at, end, *number);
    const bool is_last = number == numbers.back();
    is_state =
        is_state && error == std::errc() && (is_last ? stop == end : stop != end && *stop == ' ');
    at = stop == end ? end : stop + 1;
  }
  if (!is_state || said.has_seed > 1 || said.rank >= said.num_replicas ||
      said.first > said.length || said.taken > said.length) {
    throw StateError(fmt::format("\"{}\" is no state of a distributed sampler", text));
  }
  return said;
}

template <class T>
void expect_same(std::string_view what, const T& saved, const T& own) {
  if (saved != own) {
    throw StateError(
        fmt::format("the state is of a sampler with {} {}, and this one has {}", what, saved, own));
  }
}

/// A state that `own` can go on from, but perhaps for the number of processes.
Said parse_like(const std::string& text, const Said& own) {
  Said said = parse(text);
  expect_same("seed", said.seed_text(), own.seed_text());
  expect_same("length", said.length, own.length);
  return said;
}

/// Where the rest begins when each process had taken `samples` of the pass.
PassRest rest_behind(const Said& said, std::uint64_t samples) {
  const std::uint64_t rest = said.length - said.first;
  const std::uint64_t most = rest / said.num_replicas + (rest % said.num_replicas != 0 ? 1 : 0);
  if (samples < said.taken || samples - said.taken > most) {
    throw StateError(
        fmt::format("the state stopped after {} samples in each of {} processes, but had {} before "
                    "and a list that gives each of them {} more",
                    samples,
                    said.num_replicas,
                    said.taken,
                    most));
  }
  const std::uint64_t steps = samples - said.taken;
  const std::uint64_t first = steps == most ? said.length : said.first + steps * said.num_replicas;
  return {.first = static_cast<std::size_t>(first), .taken = static_cast<std::size_t>(samples)};
}

}  // namespace

SharedPasses::Pass SharedPasses::begin() noexcept {
  return {.positions = RankPositions(share_, std::exchange(rest_, PassRest())),
          .seed = seed_.has_value() ? std::optional(*seed_ + epoch_) : std::nullopt};
}

void SharedPasses::set_epoch(std::size_t epoch) noexcept {
  if (epoch != epoch_) {
    rest_ = {};  // it was the rest of another epoch
  }
  epoch_ = epoch;
}

std::string SharedPasses::state_dict() const {
  const Said said = describe(share_, seed_);
  return fmt::format("{} {} {} {} {} {} {} {}",
                     said.has_seed,
                     said.seed,
                     said.length,
                     said.num_replicas,
                     said.rank,
                     epoch_,
                     rest_.first,
                     rest_.taken);
}

void SharedPasses::load_state_dict(const std::string& state) {
  const Said own = describe(share_, seed_);
  const Said said = parse_like(state, own);
  expect_same("num_replicas", said.num_replicas, own.num_replicas);
  epoch_ = static_cast<std::size_t>(said.epoch);
  rest_ = {};
}

void SharedPasses::load_state_dict(const std::string& state, const Taken& taken) {
  const Said own = describe(share_, seed_);
  const Said said = parse_like(state, own);
  PassRest rest;
  if (taken.within_pass && taken.has_gaps) {
    // What is missing is known for that process only.
    expect_same("batches taken out of order and num_replicas", said.num_replicas, own.num_replicas);
    expect_same("batches taken out of order and rank", said.rank, own.rank);
    rest = {.first = static_cast<std::size_t>(said.first),
            .taken = static_cast<std::size_t>(said.taken)};
  } else if (taken.within_pass) {
    rest = rest_behind(said, taken.samples);
  }
  epoch_ = static_cast<std::size_t>(said.epoch);
  rest_ = rest;
}

}  // namespace forklift::detail
