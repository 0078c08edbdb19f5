// SPDX-License-Identifier: MIT
// The same batches for any number and kind of workers, bit for bit: every sampler, dataset, way of
// collating and order. Kept workers draw no new base seed (Semantics 4.5), so that they
// are compared with one another from the second pass on; so are loaders that read a stream.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/sharded.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::LoadingMode;
using Bytes = std::vector<std::byte>;

class WorkerKinds : public test_support::LeavesNothing {};

void append(Bytes& bytes, const Tensor& tensor) {
  const auto raw = tensor.bytes();
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}
void append(Bytes& bytes, std::int64_t /*number*/) {
  bytes.push_back({});
}
void append(Bytes& bytes, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const auto raw = std::as_bytes(std::span(text));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
}
template <class... T>
void append(Bytes& bytes, const std::tuple<T...>& parts) {
  std::apply([&](const auto&... part) { (append(bytes, part), ...); }, parts);
}

using Passes = std::vector<std::vector<Bytes>>;

// The batches of each of three passes; `taken` of the second one, if that is given.
template <class Loader>
Passes passes(Loader& loader, std::optional<std::size_t> taken) {
  Passes all;
  for (int pass = 0; pass < 3; ++pass) {
    auto& batches = all.emplace_back();
    for (auto& batch : loader) {
      append(batches.emplace_back(), batch);
      if (pass == 1 && batches.size() == taken) {
        break;
      }
    }
  }
  return all;
}

template <class Make>
Passes run(const LoadingMode& mode,
           const DataLoaderOptions& given,
           Make make,
           std::optional<std::size_t> taken = std::nullopt) {
  DataLoaderOptions options = given;
  options.generator = Generator(7);
  mode.apply(options);
  auto loader = make(options);
  return passes(loader, taken);
}

// `make(options)` makes a loader whose batches do not depend on the number of workers.
template <class Make>
void expect_same_everywhere(const DataLoaderOptions& given, Make make) {
  std::map<bool, Passes> expected;  // by whether workers are kept
  for (const LoadingMode& mode : test_support::all_loading_modes()) {
    const Passes got = run(mode, given, make);
    EXPECT_GT(got.front().size(), 2U);
    EXPECT_EQ(got, expected.emplace(mode.persistent, got).first->second) << mode.text();
    EXPECT_EQ(got.front(), expected.at(false).front()) << mode.text();
  }
}

// Where they do, or where the second pass is left early: equal for both kinds.
template <class Make>
void expect_same_of_both_kinds(const DataLoaderOptions& given,
                               Make make,
                               std::optional<std::size_t> taken) {
  for (LoadingMode mode : test_support::all_loading_modes()) {
    if (mode.kind == WorkerKind::thread) {
      const Passes threads = run(mode, given, make, taken);
      mode.kind = WorkerKind::process;
      EXPECT_EQ(threads, run(mode, given, make, taken)) << mode.text();
      EXPECT_FALSE(threads.front().empty());
    }
  }
}

struct Augmented {
  static constexpr std::size_t kSize = 37;
  [[nodiscard]] static std::size_t size() { return kSize; }
  [[nodiscard]] static std::tuple<float, std::int64_t, std::string> get(std::size_t index,
                                                                        SampleRng& rng) {
    return {rng.normal(0.0F, 1.0F), static_cast<std::int64_t>(index), std::to_string(index)};
  }
};
struct Bulk {
  [[nodiscard]] static std::size_t size() { return Augmented::kSize; }
  [[nodiscard]] static std::vector<double> get_batch(std::span<const std::size_t> indices) {
    return {indices.begin(), indices.end()};
  }
};

AnySampler sampler(int which) {
  constexpr std::size_t kSize = Augmented::kSize;
  const auto generator = Generator(which);
  switch (which) {
    case 0:
      return SequentialSampler(kSize);
    case 1:
      return RandomSampler(kSize, {.generator = generator});
    case 2:
      return RandomSampler(kSize, {.replacement = true, .num_samples = 50, .generator = generator});
    case 3:
      return SubsetRandomSampler(std::vector<int>{1, 30, 4, 9, 22, 5, 6, 7, 8, 1, 1, 2},
                                 {.generator = generator});
    case 4:
      return WeightedRandomSampler(std::vector<double>(kSize, 0.5), 40, {.generator = generator});
    case 5:
      return DistributedSampler(kSize, {.num_replicas = 2, .rank = 1});
    case 6:
      return DistributedWeightedSampler(
          std::vector<double>(kSize, 0.5), 40, {.num_replicas = 2, .rank = 1});
    case 7:
      return BlockRandomSampler(kSize, {.generator = generator});
    default:
      return std::vector<int>{5, 5, 5, 1, 2, 3, 36, 35, 34, 33, 32, 31};
  }
}
constexpr int kSamplers = 9;

std::vector<std::vector<std::size_t>> lists() {
  return {{1, 2, 3}, {4}, {5, 36}, {7, 7, 7, 7}, {0}};
}

TEST_F(WorkerKinds, give_the_same_bytes_with_each_sampler) {
  for (int which = 0; which < kSamplers; ++which) {
    for (const std::optional<Count> batch_size :
         {std::optional<Count>(4), std::optional<Count>()}) {
      const auto make = [which](DataLoaderOptions options) {
        options.sampler = sampler(which);
        return DataLoader(Augmented{}, options);
      };
      expect_same_everywhere({.batch_size = batch_size}, make);
      expect_same_of_both_kinds({.batch_size = batch_size}, make, 2);
    }
  }
}

TEST_F(WorkerKinds, give_the_same_bytes_by_each_option_of_order) {
  const auto make = [](const DataLoaderOptions& options) {
    return DataLoader(Augmented{}, options);
  };
  for (const bool drop_last : {false, true}) {
    expect_same_everywhere({.batch_size = 5, .shuffle = true, .drop_last = drop_last}, make);
    expect_same_everywhere({.batch_size = 5, .drop_last = drop_last}, make);
  }
  expect_same_of_both_kinds({.batch_size = 5, .shuffle = true}, make, 1);
  expect_same_everywhere({.batch_sampler = lists()}, make);
}

TEST_F(WorkerKinds, give_the_same_bytes_by_each_way_of_reading_and_collating) {
  const DataLoaderOptions options{.batch_size = 3, .shuffle = true};
  using Sample = std::tuple<float, std::int64_t, std::string>;

  expect_same_everywhere(options, [](const auto& each) { return DataLoader(Bulk{}, each); });
  expect_same_everywhere(options, [](const auto& each) {
    return DataLoader(Augmented{}, each, [sum = std::int64_t{0}](std::vector<Sample> samples) {
      return std::tuple(Tensor::zeros({std::get<1>(samples.back()) + 1}, DType::f32), sum);
    });
  });
  expect_same_everywhere(options, [](const auto& each) {
    return DataLoader(Augmented{}, each, [](std::vector<Sample> samples, BatchWriter& slot) {
      return slot.zeros({std::get<1>(samples.front()) + 1}, DType::i64);
    });
  });
  expect_same_everywhere(options, [](const auto& each) {
    return DataLoader(
        map(ConcatDataset(Subset(Bulk{}, {3, 4, 5, 6}), std::make_shared<Bulk>()),
            [](double sample, SampleRng& rng) { return sample + rng.uniform(0.0, 1.0); }),
        each);
  });
}

TEST_F(WorkerKinds, read_the_same_streams) {
  using test_support::Sharded;
  const Sharded sharded({9, 4, 11});
  const auto chain = [&](const auto& each) {
    return DataLoader(ShuffleBuffer(map(ChainDataset(sharded, std::make_shared<Sharded>(sharded)),
                                        [](std::int64_t value) { return 2 * value; }),
                                    5,
                                    1),
                      each);
  };
  for (const bool drop_last : {false, true}) {
    const DataLoaderOptions options{.batch_size = 2, .drop_last = drop_last};
    expect_same_of_both_kinds(
        options, [&](const auto& each) { return DataLoader(sharded, each); }, std::nullopt);
    expect_same_of_both_kinds(options, chain, std::nullopt);
    expect_same_of_both_kinds(options, chain, 2);
  }
}

}  // namespace
}  // namespace forklift
