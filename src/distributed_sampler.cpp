// SPDX-License-Identifier: MIT
#include <optional>

#include <forklift/detail/rank_share.hpp>
#include <forklift/distributed_sampler.hpp>
#include <forklift/generator.hpp>
#include <forklift/sampler.hpp>

namespace forklift {

DistributedSampler::DistributedSampler(const detail::SizeSource& size,
                                       DistributedSamplerOptions options)
    : passes_({options.num_replicas, options.rank, size(), options.drop_last},
              options.shuffle ? std::optional(options.seed) : std::nullopt) {}

void DistributedSampler::Cursor::permute() {
  Generator generator(*pass_.seed);
  order_.permute(generator, length_);
  is_permuted_ = true;
}

}  // namespace forklift
