// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <vector>

#include <benchmark/benchmark.h>

#include <forklift/any_sampler.hpp>
#include <forklift/batch_sampler.hpp>
#include <forklift/block_random_sampler.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_sampler.hpp>
#include <forklift/sampler.hpp>
#include <forklift/weighted_random_sampler.hpp>

namespace {

constexpr std::int64_t kMillion = 1'000'000;

/// A whole pass over one million indices, the permutation included.
void random_sampler_pass(benchmark::State& state) {
  const forklift::RandomSampler sampler(kMillion, {.generator = forklift::Generator(0)});
  for ([[maybe_unused]] auto _ : state) {
    auto cursor = sampler.iterate();
    while (const auto index = cursor.next()) {
      benchmark::DoNotOptimize(*index);
    }
  }
  state.SetItemsProcessed(state.iterations() * kMillion);
}
BENCHMARK(random_sampler_pass)->Unit(benchmark::kMillisecond);

/// Bytes of memory that this process has now.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t virtual_pages = 0;
  std::int64_t resident_pages = 0;
  file >> virtual_pages >> resident_pages;
  return resident_pages * ::sysconf(_SC_PAGESIZE);
}

/// What a trainer waits for at the start of an epoch: the draws of the permutation.
void random_sampler_first_index(benchmark::State& state) {
  const forklift::RandomSampler sampler(state.range(0), {.generator = forklift::Generator(0)});
  for ([[maybe_unused]] auto _ : state) {
    const std::int64_t before = resident_bytes();
    auto cursor = sampler.iterate();
    benchmark::DoNotOptimize(cursor.next());
    if (state.range(0) > kMillion) {  // else the heap has it already
      state.counters["bytes_per_index"] =
          static_cast<double>(resident_bytes() - before) / static_cast<double>(state.range(0));
    }
  }
}
BENCHMARK(random_sampler_first_index)
    ->Arg(kMillion)
    ->Arg(100'000'000)
    ->Unit(benchmark::kMillisecond);

/// One index of an order that is computed where it is needed; the second size makes the cipher walk
/// twice on average.
void block_random_sampler_index(benchmark::State& state) {
  const forklift::BlockRandomSampler sampler(state.range(0), {.generator = forklift::Generator(0)});
  auto cursor = sampler.iterate();
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(cursor.next());
  }
}
BENCHMARK(block_random_sampler_index)->Arg(1'000'000'000)->Arg((std::int64_t{1} << 32) + 1);

void block_random_sampler_first_index(benchmark::State& state) {
  const forklift::BlockRandomSampler sampler(1'000'000'000, {.generator = forklift::Generator(0)});
  for ([[maybe_unused]] auto _ : state) {
    auto cursor = sampler.iterate();
    benchmark::DoNotOptimize(cursor.next());
  }
}
BENCHMARK(block_random_sampler_first_index);

/// A million samples over a million weights, each by its own binary search; or by the race.
void weighted_sampler_pass(benchmark::State& state) {
  const forklift::WeightedRandomSampler sampler(
      std::vector<double>(static_cast<std::size_t>(kMillion), 1.0),
      kMillion,
      {.replacement = state.range(0) != 0, .generator = forklift::Generator(0)});
  for ([[maybe_unused]] auto _ : state) {
    auto cursor = sampler.iterate();
    while (const auto index = cursor.next()) {
      benchmark::DoNotOptimize(*index);
    }
  }
  state.SetItemsProcessed(state.iterations() * kMillion);
}
BENCHMARK(weighted_sampler_pass)
    ->ArgName("replacement")
    ->Arg(1)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond);

/// Batches of 64 through the erased samplers, as the scheduler draws them.
template <class Sampler>
void batch_lists(benchmark::State& state, const Sampler& sampler) {
  const forklift::AnyBatchSampler batches(forklift::BatchSampler(sampler, 64, false));
  std::vector<std::size_t> indices;
  std::int64_t drawn = 0;
  auto cursor = batches.iterate();
  for ([[maybe_unused]] auto _ : state) {
    if (!cursor->next(indices)) {
      state.PauseTiming();
      cursor = batches.iterate();
      state.ResumeTiming();
    }
    drawn += static_cast<std::int64_t>(indices.size());
  }
  state.SetItemsProcessed(drawn);
}
void sequential_batch_list(benchmark::State& state) {
  batch_lists(state, forklift::SequentialSampler(kMillion));
}
void random_batch_list(benchmark::State& state) {
  batch_lists(state, forklift::RandomSampler(kMillion));
}
BENCHMARK(sequential_batch_list);
BENCHMARK(random_batch_list);

}  // namespace
