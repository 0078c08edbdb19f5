// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include <benchmark/benchmark.h>

#include <forklift/data_loader.hpp>

namespace {

/// Hands out one sample again and again, so that what is measured is collation and hand-over.
template <class Sample>
class Same {
 public:
  Same(std::size_t num_samples, Sample sample)
      : num_samples_(num_samples),
        sample_(std::move(sample)) {}
  [[nodiscard]] std::size_t size() const { return num_samples_; }
  [[nodiscard]] const Sample& get(std::size_t /*index*/) const { return sample_; }

 private:
  std::size_t num_samples_;
  Sample sample_;
};

struct Record {
  std::array<float, 4> box;
  std::int64_t label;
  float weight;
};

/// A batch of 64 in the calling thread; the argument is the sample.
template <class Sample>
void collate(benchmark::State& state, Sample sample) {
  constexpr std::size_t kBatchSize = 64;
  forklift::DataLoader loader(Same<Sample>(kBatchSize * 4096, std::move(sample)),
                              {.batch_size = kBatchSize});
  auto batch = loader.begin();
  for ([[maybe_unused]] auto _ : state) {
    if (batch == loader.end()) {
      state.PauseTiming();
      batch = loader.begin();
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(*batch);
    ++batch;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatchSize));
}

void collate_number(benchmark::State& state) {
  collate<std::int64_t>(state, 1);
}
void collate_record(benchmark::State& state) {
  collate<Record>(state, {{1, 2, 3, 4}, 5, 6});
}
void collate_small_tensor(benchmark::State& state) {
  collate(state, forklift::Tensor::zeros({16}));
}
void collate_array(benchmark::State& state) {
  collate(state, std::array<float, 784>{});
}
void collate_strings(benchmark::State& state) {
  collate(state, std::tuple<std::string, std::int64_t>("a caption of a picture", 1));
}
BENCHMARK(collate_number);
BENCHMARK(collate_record);
BENCHMARK(collate_small_tensor);
BENCHMARK(collate_array);
BENCHMARK(collate_strings);

}  // namespace
