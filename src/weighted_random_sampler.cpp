// SPDX-License-Identifier: MIT
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/weighted_draw.hpp>
#include <forklift/generator.hpp>
#include <forklift/weighted_random_sampler.hpp>

namespace forklift {

WeightedRandomSampler::WeightedRandomSampler(std::vector<double> weights,
                                             Count num_samples,
                                             WeightedRandomSamplerOptions options)
    : weights_(std::move(weights), num_samples, options.replacement),
      options_(std::move(options)) {}

WeightedRandomSampler::Cursor::Cursor(detail::WeightedDraw weights,
                                      WeightedRandomSamplerOptions options,
                                      detail::RandomSource source)
    : weights_(std::move(weights)),
      options_(std::move(options)),
      source_(source),
      end_(weights_.num_samples()) {}

std::optional<std::size_t> WeightedRandomSampler::Cursor::next() {
  if (position_ == end_) {
    pass_.reset();
    return std::nullopt;
  }
  if (!pass_.has_value()) {
    start();
  }
  return pass_->at(position_++);
}

void WeightedRandomSampler::Cursor::start() {
  const std::size_t end = std::exchange(end_, 0);  // stays so if something throws
  detail::draw_from(options_.generator, source_, [this](Generator& generator) {
    pass_ = weights_.pass(generator);
    generator.discard(weights_.words());
  });
  end_ = end;
}

}  // namespace forklift
