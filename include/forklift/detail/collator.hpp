// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/batch_writer.hpp>
#include <forklift/detail/collate_default.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/field_path.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/detail/slot_cursor.hpp>

namespace forklift::detail {

/// Stands for "no collate_fn": PyTorch's default_collate, straight into the slot.
struct DefaultCollate {};
/// Stands for "no batches": each sample is delivered as it is.
struct AsItIs {};

template <class Collate, class Sample>
concept CollateIntoSlot = std::invocable<Collate&, std::vector<Sample>, BatchWriter&>;
template <class Collate, class Sample>
concept CollateToBatch = std::invocable<Collate&, std::vector<Sample>>;
/// Takes one sample: only without batches, as PyTorch's collate_fn is called then.
template <class Collate, class Sample>
concept CollateOne = std::invocable<Collate&, Sample> && !CollateIntoSlot<Collate, Sample> &&
                     !CollateToBatch<Collate, Sample>;

/// What a collate_fn of samples may be.
template <class Collate, class Sample>
concept Collates = CollateIntoSlot<Collate, Sample> || CollateToBatch<Collate, Sample> ||
    CollateOne<Collate, Sample>;

/// Puts the samples of a batch into its slot, by the rules of a collate_fn. Keeps the columns of
/// the default one from batch to batch, for the memory of their vectors.
template <class Sample, class Collate>
class Collator {
 public:
  /// Whether samples are taken row by row, so that one at a time is in memory.
  static constexpr bool kByRows = std::is_same_v<Collate, DefaultCollate>;

  /// Whether a batch may be of no samples at all.
  static constexpr bool kTakesNone =
      CollateIntoSlot<Collate, Sample> || CollateToBatch<Collate, Sample>;

  explicit Collator(Collate collate) : collate_(std::move(collate)) {}
  /// A new one with a copy of the collate_fn.
  [[nodiscard]] Collator again() const { return Collator(collate_); }

  /// `next(row)` gives the sample of each row, in order; it is dropped before the next one.
  template <class Next>
  void by_rows(const FillRequest& request,
               std::size_t rows,
               SlotCursor& out,
               Next next) requires kByRows {
    CollateContext context{out, rows, request.indices, !request.is_single};
    const FieldPath root;
    for (std::size_t row = 0; row < rows; ++row) {
      auto&& sample = next(row);  // extends the life of a sample returned by value
      if (row == 0) {
        columns_.start(context, sample, root);
      }
      if constexpr (std::is_lvalue_reference_v<decltype(sample)>) {
        columns_.put(context, row, std::as_const(sample), root);  // the dataset's own
      } else {
        columns_.put(context, row, sample, root);
      }
    }
    request.end_samples();
    columns_.pack(out);
  }

  /// All samples at once.
  void list(std::vector<Sample> samples, const FillRequest& request, SlotCursor& out) {
    if constexpr (kByRows) {
      by_rows(request, samples.size(), out, [&](std::size_t row) -> decltype(auto) {
        request.collates_sample(row);
        if constexpr (std::is_same_v<Sample, bool>) {
          return bool{samples[row]};
        } else {
          return std::move(samples[row]);
        }
      });
    } else if constexpr (CollateIntoSlot<Collate, Sample>) {
      BatchWriter writer(out);
      pack(out, std::invoke(collate_, std::move(samples), writer));
    } else if constexpr (CollateToBatch<Collate, Sample>) {
      pack(out, std::invoke(collate_, std::move(samples)));
    } else if constexpr (CollateOne<Collate, Sample>) {
      pack(out, std::invoke(collate_, Sample(std::move(samples.front()))));
    } else if constexpr (std::is_same_v<Collate, AsItIs>) {
      pack<Sample>(out, samples.front());
    }
  }

 private:
  struct NoColumns {};
  template <bool ByRows, class T>
  struct ColumnsFor {
    using Type = NoColumns;
  };
  template <class T>
  struct ColumnsFor<true, T> {
    using Type = Column<T>;
  };

  [[no_unique_address]] Collate collate_;
  typename ColumnsFor<kByRows, Sample>::Type columns_;
};

}  // namespace forklift::detail
