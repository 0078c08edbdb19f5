// SPDX-License-Identifier: MIT
// Samples that hold torch::Tensor. One file: a unit with libtorch's headers costs a gigabyte and
// half a minute. Semantics 4.5, 4.7, 5.1, 5.2 and 6.1.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "support/golden.hpp"
#include "support/made_dataset.hpp"

#include <forklift/torch.hpp>

namespace forklift {
namespace {

struct Sample {
  torch::Tensor image;
  std::int64_t label;
};

using test_support::Made;

Made<Sample> images(std::size_t count) {
  return {count, [](std::size_t index) {
            return Sample{torch::full({1, 4, 4}, static_cast<float>(index)),
                          static_cast<std::int64_t>(index)};
          }};
}

Made<torch::Tensor> one_tensor(torch::Tensor tensor) {
  return {1, [tensor](std::size_t /*index*/) { return tensor; }};
}

// Whether an address lies in a mapping of the ring's memory file.
bool lies_in_ring(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto dash = line.find('-');
    const auto begin = std::stoull(line, nullptr, 16);
    const auto end = std::stoull(line.substr(dash + 1), nullptr, 16);
    if (wanted >= begin && wanted < end) {
      return line.find("forklift-ring") != std::string::npos;
    }
  }
  return false;
}

TEST(TorchLoader, batches_lie_in_the_ring) {
  DataLoader loader(images(12), {.batch_size = 4, .num_workers = 2});

  std::size_t batches = 0;
  for (auto& [image, label] : loader) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(label)>, torch::Tensor>);
    EXPECT_TRUE(lies_in_ring(image.data_ptr()));
    EXPECT_TRUE(lies_in_ring(label.data_ptr()));
    EXPECT_EQ(label.sum().item<std::int64_t>(), static_cast<std::int64_t>(16 * batches + 6));
    ++batches;
  }

  EXPECT_EQ(batches, 3U);
  EXPECT_FALSE(lies_in_ring(torch::zeros({4}).data_ptr()));  // the check can say no
}

TEST(TorchLoader, a_tensor_dataset_holds_torch_tensors) {
  const torch::Tensor images = torch::arange(24).reshape({6, 2, 2});
  const TensorDataset dataset(images, torch::arange(6));
  EXPECT_EQ(std::get<0>(dataset.get(1)).data_ptr(), images[1].data_ptr());
  EXPECT_THROW(static_cast<void>(dataset.get(6)), InvalidOptions);
  EXPECT_THROW(TensorDataset(images, torch::arange(5)), InvalidOptions);

  DataLoader loader(dataset, {.batch_size = 6, .num_workers = 2});
  for (auto& [image, number] : loader) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(number)>, torch::Tensor>);
    EXPECT_TRUE(torch::equal(image, images));
    EXPECT_TRUE(lies_in_ring(number.data_ptr()));
  }
}

TEST(TorchLoader, a_kept_view_keeps_its_slot) {
  std::vector<torch::Tensor> kept;
  {
    DataLoader loader(images(40), {.batch_size = 4, .num_workers = 1});
    for (auto& [image, label] : loader) {
      kept.push_back(image[1]);
    }
  }

  for (std::size_t batch = 0; batch < kept.size(); ++batch) {
    EXPECT_EQ(kept[batch].mean().item<float>(), static_cast<float>(4 * batch + 1));
  }
}

// A copy of the generator tells, and draws nothing itself.
std::uint64_t next63_of_libtorch() {
  auto copy = at::detail::getDefaultCPUGenerator().clone();
  return at::check_generator<at::CPUGeneratorImpl>(copy)->random64() &
         ((std::uint64_t{1} << 63U) - 1);
}

TEST(TorchLoader, draws_from_libtorchs_default_generator_in_pytorchs_order) {
  std::size_t compared = 0;
  for (const auto& entry : test::golden("loader_epoch_cases")) {
    if (entry.at("generator") != "default" || !entry.at("sampler").is_null() ||
        entry.at("batch_size").is_null()) {
      continue;
    }
    torch::manual_seed(entry.at("seed").get<std::uint64_t>());
    DataLoader loader(images(entry.at("n").get<std::size_t>()),
                      {.batch_size = entry.at("batch_size").get<std::int64_t>(),
                       .shuffle = entry.at("shuffle").get<bool>(),
                       .num_workers = entry.at("num_workers").get<int>(),
                       .drop_last = entry.at("drop_last").get<bool>(),
                       .persistent_workers = entry.at("persistent").get<bool>(),
                       .on_warning = [](std::string_view) {}});
    for (const auto& epoch : entry.at("epochs")) {
      std::vector<std::vector<std::int64_t>> batches;
      for (auto& [image, label] : loader) {
        const auto values = label.contiguous();
        batches.emplace_back(values.data_ptr<std::int64_t>(),
                             values.data_ptr<std::int64_t>() + values.numel());
      }
      EXPECT_EQ(batches, epoch.at("batches").get<std::vector<std::vector<std::int64_t>>>())
          << entry.dump();
      EXPECT_EQ(next63_of_libtorch(), epoch.at("next63_default").get<std::uint64_t>())
          << entry.dump();
      ++compared;
    }
  }
  EXPECT_GT(compared, 20U);
}

TEST(TorchLoader, samplers_without_a_generator_draw_from_libtorchs_default_one) {
  const detail::RandomSource source = detail::torch_hooks().random;
  const auto pass = [&](const AnySampler& sampler) {
    std::vector<std::size_t> indices;
    sampler.iterate(source)->append(100'000, indices);
    return indices;
  };
  std::size_t compared = 0;
  for (const auto& entry : test::golden("subset_random_sampler_cases")) {
    if (entry.at("generator") != "default" || !entry.at("indices").is_array()) {
      continue;
    }
    torch::manual_seed(entry.at("seed").get<std::uint64_t>());
    const SubsetRandomSampler sampler(entry.at("indices").get<std::vector<std::size_t>>());
    test::expect_list(entry.at("pass1"), pass(sampler));
    test::expect_list(entry.at("pass2"), pass(sampler));
    EXPECT_EQ(next63_of_libtorch(), entry.at("next63").get<std::uint64_t>());
    ++compared;
  }
  EXPECT_GT(compared, 5U);

  const auto& entry = test::golden("weighted_default_generator_two_passes_seed42");
  torch::manual_seed(42);
  const WeightedRandomSampler sampler({0.1, 0.9, 0.4, 0.7, 3.0, 0.6}, 10);
  EXPECT_EQ(pass(sampler), entry.at("pass1").get<std::vector<std::size_t>>());
  EXPECT_EQ(pass(sampler), entry.at("pass2").get<std::vector<std::size_t>>());
  EXPECT_EQ(next63_of_libtorch(), entry.at("next63").get<std::uint64_t>());
}

// At the ends of a block of 624 words the two ways of counting differ most.
TEST(TorchLoader, lends_libtorchs_generator_at_every_place_in_a_block) {
  for (std::uint64_t place = 0; place <= 1300; ++place) {
    torch::manual_seed(3);
    Generator expected(3);
    expected.discard(place);
    const auto take = [&](std::uint64_t count) {
      detail::with_torch_generator([&](Generator& generator) { generator.discard(count); });
    };
    take(place);
    take(0);
    ASSERT_EQ(next63_of_libtorch(), expected.random63()) << place;
  }
}

TEST(TorchLoader, workers_seed_libtorch_with_base_seed_plus_id) {
  std::size_t compared = 0;
  for (const auto& entry : test::golden("worker_seed_cases")) {
    if (entry.at("generator") != "default") {
      continue;
    }
    torch::manual_seed(entry.at("seed").get<std::uint64_t>());
    const auto& samples = entry.at("epochs").at(0).at("samples");
    DataLoader loader(
        Made<std::pair<torch::Tensor, torch::Tensor>>(
            samples.size(),
            [](std::size_t) {
              auto small = torch::randint(0, 1000, {}, torch::kInt64);
              return std::pair(small, torch::empty({}, torch::kInt64).random_());
            }),
        {.num_workers = entry.at("num_workers").get<int>(), .on_warning = [](std::string_view) {}});
    std::size_t index = 0;
    for (auto& [small, large] : loader) {
      EXPECT_EQ(small.item<std::int64_t>(),
                samples.at(index).at("torch_randint_1000").get<std::int64_t>());
      EXPECT_EQ(std::to_string(large.item<std::int64_t>()),
                samples.at(index).at("torch_random_int64").get<std::string>());
      ++index;
      ++compared;
    }
  }
  EXPECT_GT(compared, 4U);
}

TEST(TorchLoader, workers_compute_after_the_parent_used_two_threads) {
  const int threads_before = at::get_num_threads();
  at::set_num_threads(2);
  ASSERT_EQ(torch::ones({1 << 21}).add(1).sum().item<float>(), static_cast<float>(1 << 22));

  DataLoader loader(
      Made<float>(6, [](std::size_t) { return torch::ones({1 << 20}).add(1).sum().item<float>(); }),
      {.batch_size = 2, .num_workers = 2, .timeout = 60});
  std::size_t batches = 0;
  for (auto& batch : loader) {
    EXPECT_EQ(batch.data<float>()[0], static_cast<float>(1 << 21));
    ++batches;
  }

  EXPECT_EQ(batches, 3U);
  EXPECT_EQ(at::get_num_threads(), 2);  // the host's count is its own
  at::set_num_threads(threads_before);
}

TEST(TorchLoader, carries_any_dense_tensor_unchanged) {
  const std::vector<torch::Tensor> tensors = {
      torch::arange(12, torch::kInt32).view({3, 4}).t(),       // not contiguous
      torch::arange(10, torch::kFloat64).slice(0, 1, 9, 3),    // strided
      torch::tensor(7, torch::kInt16),                         // 0-dim
      torch::zeros({0, 3}),                                    // no elements
      torch::tensor({true, false, true}),                      //
      torch::arange(5, torch::kFloat32).to(torch::kHalf),      //
      torch::arange(5, torch::kFloat32).to(torch::kBFloat16),  //
      torch::ones({2}).expand({3, 2}),                         // stride 0
  };
  for (const auto& tensor : tensors) {
    for (int num_workers : {0, 1}) {
      DataLoader loader(one_tensor(tensor), {.num_workers = num_workers});
      for (auto& batch : loader) {
        EXPECT_TRUE(torch::equal(batch[0], tensor)) << tensor;
        EXPECT_EQ(batch.dtype(), tensor.dtype());
      }
    }
  }
}

TEST(TorchLoader, refuses_by_name_what_cannot_travel) {
  const std::vector<std::pair<torch::Tensor, std::string>> refused = {
      {torch::ones({2}).requires_grad_(), "requires grad"},
      {torch::ones({2, 2}).to_sparse(), "only dense"},
      {torch::ones({2}, torch::kComplexFloat), "ComplexFloat"},
      {torch::Tensor(), "undefined"},
  };
  for (const auto& [tensor, words] : refused) {
    DataLoader loader(one_tensor(tensor), {.num_workers = 1});
    try {
      for (auto& batch : loader) {
        FAIL() << "a batch arrived: " << batch;
      }
      FAIL() << "no error";
    } catch (const WorkerError& error) {
      EXPECT_EQ(error.original_type(), "forklift::TensorError");
      EXPECT_NE(error.original_message().find(words), std::string::npos) << error.what();
    }
  }
}

TEST(TorchLoader, a_collate_fn_may_return_torch_tensors) {
  auto stack = [](std::vector<Sample> samples) {
    std::vector<torch::Tensor> rows;
    for (auto& sample : samples) {
      rows.push_back(sample.image * 2);
    }
    return torch::stack(rows);
  };
  DataLoader loader(images(6), {.batch_size = 3, .num_workers = 2}, stack);

  float next = 0;
  for (torch::Tensor& batch : loader) {
    EXPECT_EQ(batch.sizes(), torch::IntArrayRef({3, 1, 4, 4}));
    for (std::int64_t row = 0; row < 3; ++row, next += 2) {
      EXPECT_EQ(batch[row].mean().item<float>(), next);
    }
  }
  EXPECT_EQ(next, 12);
}

}  // namespace
}  // namespace forklift
