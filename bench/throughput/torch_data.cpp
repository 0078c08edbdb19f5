// SPDX-License-Identifier: MIT
#include "throughput/torch_data.hpp"

// The three torch::data rivals in one file, because each file that includes libtorch's headers
// costs half a minute and a gigabyte to compile.

#include <memory>
#include <utility>

#include <ATen/Parallel.h>
#include <torch/data.h>
#include <torch/version.h>

#include "fashion-mnist/torch_data.hpp"
#include "images/torch_data.hpp"
#include "null/torch_data.hpp"

namespace bench {
namespace {

/// Epochs of a torch::data loader over `Dataset`, in order, through `Stack`.
template <class Dataset, class Stack, class View>
class TorchPass {
 public:
  TorchPass(Dataset dataset, const OpenArguments& open)
      : loader_(torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
            std::move(dataset).map(Stack()),
            torch::data::DataLoaderOptions()
                .batch_size(open.batch_size)
                .workers(open.num_workers)
                .max_jobs(open.num_workers * open.prefetch_factor))) {}

  template <class Visit>
  void each(Visit visit) {
    for (auto& batch : *loader_) {
      visit(View()(batch));
    }
  }

 private:
  using Mapped = decltype(std::declval<Dataset>().map(Stack()));
  using Loader = torch::data::StatelessDataLoader<Mapped, torch::data::samplers::SequentialSampler>;
  std::unique_ptr<Loader> loader_;
};

enum class Threads { kDefault, kOne };

/// torch::data with libtorch's own threads as they are, and with one: Stack parallelises large
/// copies by itself.
template <class Stack, class View, class MakeDataset>
std::vector<TorchSetting> settings_for(MakeDataset make_dataset) {
  const auto contender = [make_dataset](Threads threads) {
    if (threads == Threads::kOne) {
      at::set_num_threads(1);
    }
    return make_contender([make_dataset](const OpenArguments& open) {
      return std::make_unique<TorchPass<decltype(make_dataset(std::size_t{})), Stack, View>>(
          make_dataset(open.num_samples), open);
    });
  };
  return {{"torch_data", [contender] { return contender(Threads::kDefault); }},
          {"torch_data_1_thread", [contender] { return contender(Threads::kOne); }}};
}

}  // namespace

bool has_torch_data() {
  return true;
}
std::string torch_version() {
  return TORCH_VERSION;
}

std::vector<TorchSetting> null_torch_data() {
  using Stack = torch::data::transforms::Stack<torch::data::TensorExample>;
  return settings_for<Stack, TorchNumbersView>(
      [](std::size_t num_samples) { return TorchNumbers(num_samples); });
}

std::vector<TorchSetting> fashion_mnist_torch_data(FashionPixels pixels) {
  return settings_for<torch::data::transforms::Stack<>, TorchFashionView>(
      [pixels](std::size_t num_samples) { return TorchFashionImages(pixels, num_samples); });
}

std::vector<TorchSetting> images_torch_data(std::span<std::uint8_t> store) {
  return settings_for<torch::data::transforms::Stack<>, TorchImageView>(
      [store](std::size_t num_samples) { return TorchStoredImages(store, num_samples); });
}

}  // namespace bench
