// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

namespace bench {

/// One loader, as it is opened: an epoch of `num_samples` in order.
struct OpenArguments {
  std::size_t num_samples = 0;
  std::size_t batch_size = 1;
  std::size_t num_workers = 0;
  std::size_t prefetch_factor = 2;
};

/// What an epoch delivered: all labels in order, and the sum of all values of each batch.
struct Observed {
  std::vector<std::int64_t> labels;
  std::vector<double> sums;
};

/// A loader under test. Everything runs in a process of its own (see RivalProcess).
struct Contender {
  /// Makes the loader, its workers started and kept over epochs; closes the one that was open.
  std::function<void(const OpenArguments&)> open;
  /// One epoch in which every element is read. Not timed.
  std::function<Observed()> check;
  /// One epoch, timed from asking for its first batch to the end; one element of each batch is
  /// read. Seconds.
  std::function<double()> round;
};

/// One batch as the consumer sees it, whoever delivered it.
template <class T>
struct BatchView {
  std::span<const T> values;
  std::span<const std::int64_t> labels;
};

/// Keeps the compiler from dropping a read whose result nobody uses.
inline void keep(std::int64_t value) noexcept {
  static std::int64_t sink = 0;
  volatile std::int64_t* const kept = &sink;
  *kept = value;
}

/// A contender from a `Pass`: constructed from OpenArguments (through `make`), with `each(visit)`
/// that iterates one epoch and calls `visit(BatchView<T>)` for each batch.
template <class Make>
Contender make_contender(Make make) {
  auto pass = std::make_shared<decltype(make(OpenArguments{}))>();
  Contender out;
  out.open = [pass, make](const OpenArguments& arguments) {
    pass->reset();  // workers of the former one end first
    *pass = make(arguments);
  };
  out.check = [pass] {
    Observed seen;
    (*pass)->each([&seen](const auto& batch) {
      seen.labels.insert(seen.labels.end(), batch.labels.begin(), batch.labels.end());
      seen.sums.push_back(std::accumulate(batch.values.begin(), batch.values.end(), 0.0));
    });
    return seen;
  };
  out.round = [pass] {
    const auto start = std::chrono::steady_clock::now();
    (*pass)->each([](const auto& batch) { keep(static_cast<std::int64_t>(batch.values[0])); });
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  return out;
}

}  // namespace bench
