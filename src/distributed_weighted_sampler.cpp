// SPDX-License-Identifier: MIT
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/detail/rank_share.hpp>
#include <forklift/distributed_weighted_sampler.hpp>
#include <forklift/generator.hpp>

namespace forklift {

DistributedWeightedSampler::DistributedWeightedSampler(std::vector<double> weights,
                                                       Count num_samples,
                                                       DistributedWeightedSamplerOptions options)
    : weights_(std::move(weights), num_samples, options.replacement),
      passes_({options.num_replicas, options.rank, weights_.num_samples(), options.drop_last},
              options.seed) {}

std::optional<std::size_t> DistributedWeightedSampler::Cursor::next() {
  const auto position = pass_.positions.next();
  if (!position.has_value()) {
    draws_.reset();
    return std::nullopt;
  }
  // The last sample of a share may come from the front of the draw again.
  if (!draws_.has_value() || *position < end_) {
    draws_ = weights_.pass(Generator(*pass_.seed));
  }
  end_ = *position + 1;
  return draws_->at(*position);
}

}  // namespace forklift
