// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/any_sampler.hpp>
#include <forklift/batch_iterator.hpp>
#include <forklift/collated.hpp>
#include <forklift/dataset.hpp>
#include <forklift/detail/collator.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/detail/engine_handle.hpp>
#include <forklift/detail/fetcher_for.hpp>
#include <forklift/detail/foreign_tensor.hpp>
#include <forklift/detail/library_hooks.hpp>
#include <forklift/detail/resolved_options.hpp>
#include <forklift/error.hpp>
#include <forklift/iterable_dataset.hpp>
#include <forklift/options.hpp>
#include <forklift/state_dict.hpp>
#include <forklift/tensor.hpp>
#include <forklift/tensor_adapter.hpp>

namespace forklift {

namespace detail {

/// Stands for "the batch type that follows from the samples or from the collate_fn".
struct DefaultBatch {};

template <class Sample, class Collate>
struct DefaultBatchOf {
  static_assert(Collates<Collate, Sample>,
                "Forklift: collate_fn must be callable as (std::vector<Sample>) or "
                "(std::vector<Sample>, forklift::BatchWriter&), or with batch_size = std::nullopt "
                "as (Sample)");
  using Type = typename std::remove_cvref_t<decltype([] {
    if constexpr (CollateIntoSlot<Collate, Sample>) {
      return std::type_identity<
          std::invoke_result_t<Collate&, std::vector<Sample>, BatchWriter&>>();
    } else if constexpr (CollateToBatch<Collate, Sample>) {
      return std::type_identity<std::invoke_result_t<Collate&, std::vector<Sample>>>();
    } else if constexpr (CollateOne<Collate, Sample>) {
      return std::type_identity<std::invoke_result_t<Collate&, Sample>>();
    } else {
      return std::type_identity<Tensor>();  // the message above is enough
    }
  }())>::type;
};
template <class Sample>
struct DefaultBatchOf<Sample, DefaultCollate> {
  using Type = Collated<Sample>;
};

template <class Sample, class Batch, class Collate>
struct BatchOf {
  using Type = Batch;
};
template <class Sample, class Collate>
struct BatchOf<Sample, DefaultBatch, Collate> {
  using Type = std::remove_cvref_t<typename DefaultBatchOf<Sample, Collate>::Type>;
};

/// Whether `DataLoader<Dataset, Sample>` delivers the samples as they are, which is no batch type.
template <class Sample, class Batch, class Collate>
consteval bool delivers_samples() {
  if constexpr (std::is_same_v<Sample, Batch> && std::is_same_v<Collate, DefaultCollate>) {
    return !fits<Sample, Batch, TensorOf<Sample>>();
  } else {
    return false;
  }
}

template <class Sample, class Batch, class Collate>
consteval bool check_batch() {
  if constexpr (delivers_samples<Sample, Batch, Collate>()) {
    static_assert(check_travels<Sample>());
  } else if constexpr (std::is_same_v<Collate, DefaultCollate>) {
    static_assert(fits<Sample, Batch, TensorOf<Sample>>(),
                  "Forklift: the batch type does not fit the sample type: it needs one member for "
                  "each field of the sample, in order, each of the "
                  "collated type (Tensor for numbers, tensors and lists of numbers; "
                  "std::vector<std::string> for strings; see forklift/collated.hpp)");
  } else if constexpr (Collates<Collate, Sample>) {
    using Returned = std::remove_cvref_t<typename DefaultBatchOf<Sample, Collate>::Type>;
    static_assert(std::is_same_v<Returned, Batch>,
                  "Forklift: collate_fn must return the loader's batch type, which is named as "
                  "DataLoader<Dataset, Batch, Collate>");
    static_assert(check_travels<Batch>());
  }
  return true;
}

/// Hooks of the library whose tensors the samples or batches hold.
template <class Sample, class Batch>
LibraryHooks library_hooks() {
  using Foreign = ForeignTensorOf<Sample, Batch>;
  if constexpr (std::is_same_v<Foreign, NoTensor>) {
    return {};
  } else {
    return TensorAdapter<Foreign>::hooks();
  }
}

}  // namespace detail

/// Loads a dataset in batches, in forked workers if asked to: PyTorch's DataLoader in C++.
///
///   forklift::DataLoader loader(dataset, {.batch_size = 64, .shuffle = true, .num_workers = 4});
///   for (auto& [images, labels] : loader) { ... }
///
/// The batch type follows from the sample type (see Collated), from what collate_fn returns, or is
/// named: `DataLoader<Dataset, Batch>`, or `using Batch = ...;` in the sample.
///
/// Owner:  the dataset is moved in. Iterators and batches do not point at the loader: it may be
/// moved or destroyed first. Thread: may be handed to another thread; used by two at once, calls
/// throw StateError. Errors: InvalidOptions when it is made; see begin() and BatchIterator for the
/// rest. Source: PyTorch torch/utils/data/dataloader.py.
template <Dataset D, class BatchType = detail::DefaultBatch, class Collate = detail::DefaultCollate>
class DataLoader {
 public:
  using Sample = SampleOf<D>;
  using Batch = typename detail::BatchOf<Sample, BatchType, Collate>::Type;
  using iterator = BatchIterator<Batch>;

  static_assert(detail::check_batch<Sample, Batch, Collate>());

  /// `collate_fn` takes the samples of a batch and returns the batch; with a BatchWriter& as its
  /// second argument it may make the batch's tensors in the slot, so that nothing is copied.
  explicit DataLoader(D dataset, const DataLoaderOptions& options = {}, Collate collate_fn = {})
      : fetcher_(make_fetcher(std::move(dataset), std::move(collate_fn))),
        engine_(make_engine(options)),
        options_(options) {}

  /// Starts a pass. With workers it forks them, unless they are kept, and asks for the whole
  /// window; with 0 workers it draws the base seed and, once, calls the dataset's open(). What
  /// open() throws stands in place of the batches. A persistent loader has one pass: an older
  /// iterator throws StateError when it is used. Errors: ResourceError, SystemError when
  /// the ring or the workers cannot be made; WorkerDied; StateError.
  [[nodiscard]] iterator begin() { return iterator(engine_.begin()); }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// Number of batches in a pass over a map-style dataset. Errors: StateError when the sampler has
  /// no size.
  [[nodiscard]] std::size_t size() const requires MapDataset<D> {
    const auto batches = engine_.options().batches.size();
    if (!batches.has_value()) {
      throw StateError(
          "the sampler of this loader has no size(), so the number of batches is not known");
    }
    return *batches;
  }
  /// Number of batches that the size() of an iterable dataset promises; empty if it has none.
  /// Later passes warn when there are more. Workers that share the stream out unevenly may give
  /// more batches than this, each with a last one that is not full.
  [[nodiscard]] std::optional<std::size_t> size() const requires IterableDataset<D> {
    if constexpr (detail::HasSize<D>) {
      const std::size_t samples = detail::dataset_size(fetcher_->dataset());
      engine_.tell_length(samples);
      const auto& resolved = engine_.options();
      const std::size_t each = resolved.batch_size.value_or(1);
      return samples / each + (!resolved.drop_last && samples % each != 0 ? 1 : 0);
    } else {
      return std::nullopt;
    }
  }

  /// Names the epoch of the next pass and hands it to the sampler; later passes count on from it.
  void set_epoch(std::size_t epoch) { engine_.set_epoch(epoch); }

  /// Where this loader stands, for load_state_dict() of another one: in its most recent pass, also
  /// when the iterator is gone, or between two. A batch counts from when it was fetched on, also
  /// one in whose place an error stood; batches in flight do not count. Errors: whatever the size()
  /// of the dataset and the state_dict() of the sampler throw.
  [[nodiscard]] StateDict state_dict() const { return StateDict(engine_.snapshot()); }
  /// The next pass goes on from `state`: the next batch is the very next one, for any number of
  /// workers, and for any batch_size where the loader cuts its batches itself. Nothing is read
  /// again for a map-style dataset. The streams of an iterable one go on by their state() and
  /// restore(), or are read again from their beginning, with a warning; with another num_workers
  /// there are as many as before until the pass is over, and a worker reads several by turns. After
  /// the rest of its pass everything is as if the first loader had gone on, if it has a generator
  /// of its own; the default generator is the program's to restore. Where the sampler is the share
  /// of one process, another number of processes may go on, each with the state of any one of
  /// those before: DistributedSampler says how. A default-made state starts afresh. Errors:
  /// StateError, and nothing is changed, where the state is of another kind of loader: it names
  /// both values.
  void load_state_dict(const StateDict& state) { engine_.restore(state.snapshot()); }

  /// The loader's dataset. Workers that run already have their own copy.
  [[nodiscard]] D& dataset() noexcept { return fetcher_->dataset(); }
  [[nodiscard]] const D& dataset() const noexcept { return fetcher_->dataset(); }
  /// The sampler in use; empty with a batch_sampler and for an iterable dataset.
  [[nodiscard]] const AnySampler& sampler() const noexcept { return engine_.options().sampler; }
  /// Samples in a batch; empty with a batch_sampler and without batches.
  [[nodiscard]] std::optional<std::size_t> batch_size() const noexcept {
    return engine_.options().batch_size;
  }
  /// The options as they were given.
  [[nodiscard]] const DataLoaderOptions& options() const noexcept { return options_; }

 private:
  static constexpr bool kDeliversSamples = detail::delivers_samples<Sample, Batch, Collate>();
  using Fetcher =
      detail::FetcherFor<D, std::conditional_t<kDeliversSamples, detail::AsItIs, Collate>>;

  static std::shared_ptr<Fetcher> make_fetcher(D&& dataset, Collate&& collate_fn) {
    if constexpr (kDeliversSamples) {
      return std::make_shared<Fetcher>(std::move(dataset), detail::AsItIs());
    } else {
      return std::make_shared<Fetcher>(std::move(dataset), std::move(collate_fn));
    }
  }

  detail::LoaderTraits traits() const {
    detail::LoaderTraits out{.size = std::size_t{0}, .is_iterable = IterableDataset<D>};
    if constexpr (MapDataset<D>) {
      out.size = [fetcher = fetcher_] { return detail::dataset_size(fetcher->dataset()); };
    }
    if constexpr (kDeliversSamples) {
      out.single_because = "this loader's batch type is the sample's own";
    } else if constexpr (detail::CollateOne<Collate, Sample>) {
      out.single_because = "collate_fn takes one sample";
    }
    if constexpr (!detail::kIsSharable<D>) {
      out.no_threads_because =
          "the getters of this dataset (get, get_batch or iterate) are not const, which would say "
          "that several threads may call them";
    } else if (!fetcher_->has_separate_streams()) {
      out.no_threads_because = "iterate() of this dataset returns one object to all of them";
    } else if constexpr (!std::copy_constructible<Collate>) {
      out.no_threads_because = "this collate_fn cannot be copied, and each thread has its own";
    }
    return out;
  }

  detail::Engine make_engine(const DataLoaderOptions& options) const {
    detail::EnginePlan plan{.fetcher = fetcher_,
                            .options = detail::resolve(options, traits()),
                            .hooks = detail::library_hooks<Sample, Batch>()};
    if constexpr (MapDataset<D>) {
      plan.dataset_size = [fetcher = fetcher_] {
        return std::uint64_t{detail::dataset_size(fetcher->dataset())};
      };
    }
    return detail::Engine(std::move(plan));
  }

  std::shared_ptr<Fetcher> fetcher_;
  detail::Engine engine_;
  DataLoaderOptions options_;
};

template <class Dataset>
DataLoader(Dataset) -> DataLoader<Dataset>;
template <class Dataset>
DataLoader(Dataset, DataLoaderOptions) -> DataLoader<Dataset>;
template <class Dataset, class Collate>
DataLoader(Dataset, DataLoaderOptions, Collate)
    -> DataLoader<Dataset, detail::DefaultBatch, Collate>;

}  // namespace forklift
