// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <forklift/detail/rank_share.hpp>
#include <forklift/distributed_sampler.hpp>
#include <forklift/generator.hpp>
#include <forklift/sampler.hpp>

namespace forklift {
namespace {

// In the state of a sampler that does not shuffle.
constexpr std::uint64_t kNoSeed = UINT64_MAX;

}  // namespace

DistributedSampler::DistributedSampler(const detail::SizeSource& size,
                                       DistributedSamplerOptions options)
    : share_(options.num_replicas, options.rank, size(), options.drop_last),
      seed_(options.shuffle ? std::optional(options.seed) : std::nullopt) {}

DistributedSampler::Cursor DistributedSampler::iterate() const {
  return {share_, seed_.has_value() ? std::optional(*seed_ + epoch_) : std::nullopt};
}

DistributedSampler::Cursor::Cursor(detail::RankShare share, std::optional<std::uint64_t> seed)
    : share_(share),
      seed_(seed) {}

std::size_t DistributedSampler::Cursor::skip(std::size_t count) {
  if (next_ == available_ && !start()) {
    return 0;
  }
  const std::size_t skipped = std::min(count, available_ - next_);
  next_ += skipped;
  return skipped;
}

std::string DistributedSampler::state_dict() const {
  return detail::to_text(own_state());
}

void DistributedSampler::load_state_dict(const std::string& state) {
  epoch_ = static_cast<std::size_t>(detail::epoch_of(state, own_state()));
}

detail::EpochState DistributedSampler::own_state() const noexcept {
  return {.seed = seed_.value_or(kNoSeed), .num_replicas = share_.num_replicas(), .epoch = epoch_};
}

bool DistributedSampler::Cursor::start() {
  if (started_) {
    order_.clear();
    next_ = available_ = 0;
    return false;
  }
  started_ = true;
  if (seed_.has_value() && share_.size() != 0) {
    Generator generator(*seed_);
    order_.permute(generator, share_.length());
  }
  available_ = share_.size();
  return available_ != 0;
}

}  // namespace forklift
