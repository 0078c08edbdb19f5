// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include <forklift/any_sampler.hpp>
#include <forklift/batch_sampler.hpp>
#include <forklift/count.hpp>
#include <forklift/generator.hpp>
#include <forklift/timeout.hpp>
#include <forklift/worker_kind.hpp>

namespace forklift {

/// The options of a DataLoader: PyTorch's names, defaults and order, then Forklift's own.
///
/// Meant for designated initialisers. Values are checked when a loader is made, in PyTorch's order;
/// each failure is an InvalidOptions that names the option, the value and what is allowed. Source:
/// PyTorch torch/utils/data/dataloader.py, DataLoader.__init__.
struct DataLoaderOptions {
  /// Samples in a batch. std::nullopt: no batches, one sample a time, whose tensors have no leading
  /// dimension.
  std::optional<Count> batch_size = 1;
  /// Draw the samples in random order, anew each epoch.
  bool shuffle = false;
  /// Gives the indices of an epoch; excludes shuffle.
  AnySampler sampler = {};
  /// Gives lists of indices, a batch each; excludes batch_size, shuffle, sampler and drop_last.
  AnyBatchSampler batch_sampler = {};
  /// Workers, processes unless worker_kind says otherwise; 0 loads in the calling thread.
  Count num_workers = 0;
  /// Leave out a last batch that is not full.
  bool drop_last = false;
  /// Longest wait for one batch in seconds; 0 waits for ever. Needs workers.
  Timeout timeout = 0;
  /// Called in each worker with its id, after seeding, before the dataset's open().
  std::function<void(std::size_t)> worker_init_fn = {};
  /// Used by shuffle and for the base seed of the workers; without one, the default generator is.
  std::optional<Generator> generator = std::nullopt;
  /// Batches asked for in advance, for each worker; 2 when not given. Needs workers.
  std::optional<Count> prefetch_factor = std::nullopt;
  /// Keep the workers, and their datasets, from epoch to epoch.
  bool persistent_workers = false;
  /// Hand out batches in the order of the sampler; false: as they are finished.
  bool in_order = true;
  /// Worker processes, or threads that share the dataset.
  WorkerKind worker_kind = WorkerKind::process;
  /// Memory of the ring in bytes, shared equally by its num_workers * prefetch_factor + 2 slots.
  /// Without one: half of what the machine, or the memory cgroup, has available when the ring is
  /// made.
  std::optional<Count> max_ring_bytes = std::nullopt;
  /// Takes warnings, each kind once for a loader, on the thread that uses the loader. Without one:
  /// a line on stderr.
  std::function<void(std::string_view)> on_warning = {};
  /// Of this process among the `world` processes of a training job: told to the dataset by
  /// WorkerInfo, for an iterable one that shares its stream out. Nothing else follows from them: a
  /// map-style dataset is shared out by a DistributedSampler.
  Count rank = 0;
  Count world = 1;
};

}  // namespace forklift
