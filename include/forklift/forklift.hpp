// SPDX-License-Identifier: MIT
#pragma once

/// All of Forklift's core. For samples that hold torch::Tensor include <forklift/torch.hpp> as
/// well.
#include <forklift/any_sampler.hpp>
#include <forklift/batch_iterator.hpp>
#include <forklift/batch_sampler.hpp>
#include <forklift/batch_writer.hpp>
#include <forklift/block_random_sampler.hpp>
#include <forklift/collated.hpp>
#include <forklift/concat_dataset.hpp>
#include <forklift/data_loader.hpp>
#include <forklift/dataset.hpp>
#include <forklift/distributed_sampler.hpp>
#include <forklift/distributed_weighted_sampler.hpp>
#include <forklift/dtype.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/iterable_dataset.hpp>
#include <forklift/map.hpp>
#include <forklift/mapped_iterable.hpp>
#include <forklift/options.hpp>
#include <forklift/random_sampler.hpp>
#include <forklift/random_split.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/sampler.hpp>
#include <forklift/shape.hpp>
#include <forklift/shared_dataset.hpp>
#include <forklift/stack_dataset.hpp>
#include <forklift/state_dict.hpp>
#include <forklift/subset.hpp>
#include <forklift/subset_random_sampler.hpp>
#include <forklift/tensor.hpp>
#include <forklift/tensor_dataset.hpp>
#include <forklift/version.hpp>
#include <forklift/weighted_random_sampler.hpp>
#include <forklift/worker_info.hpp>
