// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <forklift/detail/random_source.hpp>
#include <forklift/generator.hpp>
#include <forklift/subset_random_sampler.hpp>

namespace forklift {

SubsetRandomSampler::SubsetRandomSampler(std::vector<std::size_t> indices,
                                         SubsetRandomSamplerOptions options)
    : indices_(std::make_shared<const std::vector<std::size_t>>(std::move(indices))),
      options_(std::move(options)) {}

SubsetRandomSampler::Cursor::Cursor(std::shared_ptr<const std::vector<std::size_t>> indices,
                                    SubsetRandomSamplerOptions options,
                                    detail::RandomSource source)
    : indices_(std::move(indices)),
      options_(std::move(options)),
      source_(source) {}

std::size_t SubsetRandomSampler::Cursor::skip(std::size_t count) {
  if (position_ == available_ && !start()) {
    return 0;
  }
  const std::size_t skipped = std::min(count, available_ - position_);
  position_ += skipped;
  return skipped;
}

bool SubsetRandomSampler::Cursor::start() {
  if (started_) {
    order_.clear();
    position_ = available_ = 0;
    return false;
  }
  started_ = true;
  detail::draw_from(options_.generator, source_, [this](Generator& generator) {
    order_.permute(generator, indices_->size());
  });
  available_ = indices_->size();
  return available_ != 0;
}

}  // namespace forklift
