// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/detail/rank_share.hpp>
#include <forklift/detail/weighted_draw.hpp>
#include <forklift/distributed_weighted_sampler.hpp>
#include <forklift/generator.hpp>

namespace forklift {

DistributedWeightedSampler::DistributedWeightedSampler(std::vector<double> weights,
                                                       Count num_samples,
                                                       DistributedWeightedSamplerOptions options)
    : weights_(std::move(weights), num_samples, options.replacement),
      share_(options.num_replicas, options.rank, weights_.num_samples(), options.drop_last),
      seed_(options.seed) {}

std::string DistributedWeightedSampler::state_dict() const {
  return detail::to_text(own_state());
}

void DistributedWeightedSampler::load_state_dict(const std::string& state) {
  epoch_ = static_cast<std::size_t>(detail::epoch_of(state, own_state()));
}

detail::EpochState DistributedWeightedSampler::own_state() const noexcept {
  return {.seed = seed_, .num_replicas = share_.num_replicas(), .epoch = epoch_};
}

DistributedWeightedSampler::Cursor::Cursor(detail::WeightedDraw weights,
                                           detail::RankShare share,
                                           std::uint64_t seed)
    : weights_(std::move(weights)),
      share_(share),
      seed_(seed),
      end_(share_.size()) {}

std::optional<std::size_t> DistributedWeightedSampler::Cursor::next() {
  if (next_ == end_) {
    pass_.reset();
    return std::nullopt;
  }
  const std::size_t position = share_.position(next_);
  // The last sample of a share may come from the front of the draw again.
  const bool starts_over = next_ != 0 && position <= share_.position(next_ - 1);
  if (!pass_.has_value() || starts_over) {
    pass_ = weights_.pass(Generator(seed_));
  }
  ++next_;
  return pass_->at(position);
}

}  // namespace forklift
