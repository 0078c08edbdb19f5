// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <utility>

#include <benchmark/benchmark.h>

#include "null/dataset.hpp"

#include <forklift/forklift.hpp>

namespace {

using forklift::AnySampler;

constexpr std::size_t kMany = 1'000'000'000;
constexpr std::uint64_t kBatch = 1'000'000;  // the loader stopped there

AnySampler sequential() {
  return forklift::SequentialSampler(kMany);
}
AnySampler block_random() {
  return forklift::BlockRandomSampler(kMany, {.generator = forklift::Generator(0)});
}
AnySampler distributed() {
  return forklift::DistributedSampler(kMany, {.num_replicas = 4, .rank = 1, .shuffle = false});
}
AnySampler random() {
  return forklift::RandomSampler(2 * kBatch, {.generator = forklift::Generator(0)});
}

/// A state, its loading, a new pass and the batch behind that of number kBatch.
void resume(benchmark::State& state, const AnySampler& sampler, std::size_t batch_size) {
  forklift::DataLoader loader(bench::Numbers(kMany),
                              {.batch_size = batch_size, .sampler = sampler});
  benchmark::DoNotOptimize(*loader.begin());
  forklift::detail::LoaderSnapshot snapshot = loader.state_dict().snapshot();
  snapshot.pass->batches = kBatch;
  snapshot.pass->samples = kBatch * batch_size;
  const forklift::StateDict stopped(std::move(snapshot));
  for ([[maybe_unused]] auto _ : state) {
    loader.load_state_dict(stopped);
    auto batch = loader.begin();
    benchmark::DoNotOptimize(batch->data<const std::int64_t>()[0]);
  }
}
BENCHMARK_CAPTURE(resume, sequential, sequential(), 64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(resume, block_random, block_random(), 64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(resume, distributed, distributed(), 64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(resume, random, random(), 1)->Unit(benchmark::kMicrosecond);

/// With 16 batches in flight.
void state_dict(benchmark::State& state, const AnySampler& sampler) {
  forklift::DataLoader loader(
      bench::Numbers(kMany),
      {.batch_size = 64, .sampler = sampler, .num_workers = 2, .prefetch_factor = 8});
  auto batch = loader.begin();
  benchmark::DoNotOptimize(batch->data<const std::int64_t>()[0]);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(loader.state_dict());
  }
}
BENCHMARK_CAPTURE(state_dict, sequential, sequential())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(state_dict, block_random, block_random())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(state_dict, distributed, distributed())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(state_dict, random, random())->Unit(benchmark::kMicrosecond);

}  // namespace
