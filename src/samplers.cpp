// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <forklift/batch_sampler.hpp>
#include <forklift/count.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_sampler.hpp>
#include <forklift/sampler.hpp>

namespace forklift {
namespace {

// PyTorch draws with replacement in chunks, which decides how far the generator is when a pass is
// left early.
constexpr std::size_t kReplacementChunk = 32;

std::size_t positive_batch_size(const Count& batch_size) {
  if (batch_size.is_negative() || batch_size.is_zero()) {
    throw InvalidOptions(fmt::format(
        "batch_size should be a positive integer value, but got batch_size={}", batch_size.text()));
  }
  return batch_size.value();
}

}  // namespace

void detail::throw_negative_index(std::int64_t index) {
  throw InvalidOptions(
      fmt::format("the sampler gave the index {}; indices must be 0 or more", index));
}

void detail::throw_negative_size(std::int64_t size) {
  throw InvalidOptions(fmt::format(
      "the number of elements to sample from should be non-negative, but got {}", size));
}

void detail::throw_empty_batch() {
  throw InvalidOptions(
      "the batch sampler gave an empty list of indices; without a collate_fn each list needs at "
      "least one");
}

RandomSampler::RandomSampler(detail::SizeSource size, RandomSamplerOptions options)
    : size_(std::move(size)),
      options_(std::move(options)) {
  const Count samples = options_.num_samples.has_value() ? *options_.num_samples : Count(size_());
  if (samples.is_negative() || samples.is_zero()) {
    throw InvalidOptions(
        fmt::format("num_samples should be a positive integer value, but got num_samples={}{}",
                    samples.text(),
                    options_.num_samples.has_value() ? "" : "; the dataset is empty"));
  }
}

std::size_t RandomSampler::size() const {
  return options_.num_samples.has_value() ? options_.num_samples->value() : size_();
}

bool RandomSampler::indices_are_unique() const {
  return !options_.replacement && size() <= size_();
}

RandomSampler::Cursor::Cursor(detail::SizeSource size,
                              RandomSamplerOptions options,
                              detail::RandomSource source)
    : size_source_(std::move(size)),
      options_(std::move(options)),
      source_(source) {}

bool RandomSampler::Cursor::refill() {
  if (stage_ == Stage::kNotStarted) {
    start();
  }
  if (stage_ == Stage::kEnded) {
    return false;
  }
  return options_.replacement ? refill_chunk() : refill_permutation();
}

std::size_t RandomSampler::Cursor::skip(std::size_t count) {
  std::size_t skipped = 0;
  while (skipped < count && (position_ < available_ || refill())) {
    const std::size_t step = std::min(count - skipped, available_ - position_);
    position_ += step;
    skipped += step;
  }
  return skipped;
}

void RandomSampler::Cursor::start() {
  stage_ = Stage::kEnded;  // stays so if something throws
  size_ = size_source_();
  remaining_ = options_.num_samples.has_value() ? options_.num_samples->value() : size_;
  if (!options_.generator.has_value()) {
    options_.generator = Generator(source_.random63());
    generator_is_private_ = true;
  }
  if (size_ == 0) {
    throw InvalidOptions(
        fmt::format("num_samples={} indices cannot be drawn from 0 elements; the dataset is empty",
                    remaining_));
  }
  stage_ = Stage::kDrawing;
}

bool RandomSampler::Cursor::refill_chunk() {
  const std::size_t count = std::min(remaining_, kReplacementChunk);
  if (count == 0) {
    stage_ = Stage::kEnded;
    return false;
  }
  // SizeSource holds whatever a size_t holds, but no dataset has 2^63 elements.
  const auto high = static_cast<std::int64_t>(size_);
  indices_.generate(count, size_, [&] { return options_.generator->randint(0, high); });
  remaining_ -= count;
  available_ = count;
  position_ = 0;
  return true;
}

bool RandomSampler::Cursor::refill_permutation() {
  if (remaining_ == 0) {
    stage_ = Stage::kEnded;
    // The permutation that PyTorch draws and drops here moves the stream; a private one ends with
    // the pass.
    if (!generator_is_private_) {
      options_.generator->skip_randperm(size_);
    }
    indices_.clear();
    position_ = available_ = 0;
    return false;
  }
  indices_.permute(*options_.generator, size_);
  available_ = std::min(remaining_, size_);
  if (remaining_ < size_) {
    stage_ = Stage::kEnded;  // this one was the last, cut short: none is dropped after it
  }
  remaining_ -= available_;
  position_ = 0;
  return true;
}

BatchSampler::BatchSampler(AnySampler sampler, Count batch_size, bool drop_last)
    : sampler_(std::move(sampler)),
      batch_size_(positive_batch_size(batch_size)),
      drop_last_(drop_last) {
  if (!sampler_) {
    throw InvalidOptions("BatchSampler needs a sampler, but got an empty AnySampler");
  }
}

std::optional<std::size_t> BatchSampler::size() const {
  const std::optional<std::size_t> indices = sampler_.size();
  if (!indices.has_value()) {
    return std::nullopt;
  }
  const bool has_short_batch = !drop_last_ && *indices % batch_size_ != 0;
  return *indices / batch_size_ + (has_short_batch ? 1 : 0);
}

BatchSampler::Cursor::Cursor(AnySampler sampler,
                             std::size_t batch_size,
                             bool drop_last,
                             detail::RandomSource source)
    : sampler_(std::move(sampler)),
      batch_size_(batch_size),
      drop_last_(drop_last),
      source_(source) {}

bool BatchSampler::Cursor::next(std::vector<std::size_t>& indices) {
  indices.clear();
  if (ended_) {
    return false;
  }
  ended_ = true;  // stays so if the sampler throws, and after a batch that met the sampler's end
  if (indices_ == nullptr) {
    indices_ = sampler_.iterate(source_);
  }
  indices_->append(batch_size_, indices);
  if (indices.size() == batch_size_) {
    ended_ = false;
    return true;
  }
  if (drop_last_) {
    indices.clear();
  }
  return !indices.empty();
}

std::size_t BatchSampler::Cursor::skip(std::size_t batches, std::optional<std::size_t> samples) {
  std::size_t count = 0;
  if (__builtin_mul_overflow(batches, batch_size_, &count)) {
    count = SIZE_MAX;
  }
  count = samples.value_or(count);
  if (ended_ || count == 0) {
    return 0;
  }
  if (indices_ == nullptr) {
    indices_ = sampler_.iterate(source_);
  }
  return indices_->skip(count);
}

std::optional<std::vector<std::size_t>> BatchSampler::Cursor::next() {
  std::vector<std::size_t> indices;
  return next(indices) ? std::optional(std::move(indices)) : std::nullopt;
}

}  // namespace forklift
