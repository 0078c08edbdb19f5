// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include <benchmark/benchmark.h>

#include "null/dataset.hpp"

#include <forklift/data_loader.hpp>

namespace {

/// A batch of one number: with 0 workers all of it is the loader's own overhead, with workers the
/// hand-over too.
void null_batch(benchmark::State& state) {
  constexpr std::size_t kEpoch = 1'000'000;
  const std::int64_t num_workers = state.range(0);
  forklift::DataLoader loader(bench::Numbers(kEpoch),
                              {.num_workers = num_workers, .persistent_workers = num_workers > 0});
  auto batch = loader.begin();
  for ([[maybe_unused]] auto _ : state) {
    if (batch == loader.end()) {
      state.PauseTiming();
      batch = loader.begin();
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(batch->data<const std::int64_t>()[0]);
    ++batch;
  }
}
BENCHMARK(null_batch)->Arg(0)->Arg(1)->Arg(2)->UseRealTime();

/// An epoch of one batch: what begin() and the end of a pass cost while workers are kept.
void short_epoch(benchmark::State& state) {
  const std::int64_t num_workers = state.range(0);
  forklift::DataLoader loader(bench::Numbers(1),
                              {.num_workers = num_workers, .persistent_workers = num_workers > 0});
  for ([[maybe_unused]] auto _ : state) {
    for (const forklift::Tensor& batch : loader) {
      benchmark::DoNotOptimize(batch.data<const std::int64_t>()[0]);
    }
  }
}
BENCHMARK(short_epoch)->Arg(0)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
