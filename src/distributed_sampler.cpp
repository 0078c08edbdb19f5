// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <forklift/detail/rank_share.hpp>
#include <forklift/distributed_sampler.hpp>
#include <forklift/generator.hpp>
#include <forklift/sampler.hpp>

namespace forklift {

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
