// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <forklift/block_random_sampler.hpp>
#include <forklift/detail/keyed_permutation.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/error.hpp>
#include <forklift/sampler.hpp>

namespace forklift {

BlockRandomSampler::BlockRandomSampler(detail::SizeSource size, BlockRandomSamplerOptions options)
    : size_(std::move(size)),
      options_(std::move(options)) {
  const auto& samples = options_.num_samples;
  if (samples.has_value() && (samples->is_negative() || samples->is_zero())) {
    throw InvalidOptions(fmt::format(
        "num_samples should be a positive integer value, but got num_samples={}", samples->text()));
  }
}

std::size_t BlockRandomSampler::size() const {
  return options_.num_samples.has_value() ? options_.num_samples->value() : size_();
}

BlockRandomSampler::Cursor::Cursor(detail::SizeSource size,
                                   BlockRandomSamplerOptions options,
                                   detail::RandomSource source)
    : size_source_(std::move(size)),
      options_(std::move(options)),
      source_(source) {}

std::size_t BlockRandomSampler::Cursor::skip(std::size_t count) {
  if (position_ >= end_ && !start()) {
    return 0;
  }
  const std::size_t skipped = std::min(count, end_ - position_);
  position_ += skipped;
  return skipped;
}

bool BlockRandomSampler::Cursor::start() {
  if (started_) {
    return false;
  }
  started_ = true;
  size_ = size_source_();
  const std::size_t samples =
      options_.num_samples.has_value() ? options_.num_samples->value() : size_;
  if (size_ == 0 && samples != 0) {
    throw InvalidOptions(fmt::format(
        "num_samples={} indices cannot be drawn from 0 elements; the dataset is empty", samples));
  }
  key_ = options_.generator.has_value() ? options_.generator->random63() : source_.random63();
  end_ = samples;
  order_ = detail::KeyedPermutation(size_, key_, 0);
  return position_ < end_;
}

void BlockRandomSampler::Cursor::enter_permutation() noexcept {
  const std::size_t ordinal = position_ / size_;
  first_ = ordinal * size_;
  order_ = detail::KeyedPermutation(size_, key_, ordinal);
}

}  // namespace forklift
