// SPDX-License-Identifier: MIT
#include "throughput/torch_data.hpp"

// Takes the place of torch_data.cpp in a build without libtorch.

namespace bench {

bool has_torch_data() {
  return false;
}
std::string torch_version() {
  return "";
}
std::vector<TorchSetting> null_torch_data() {
  return {};
}
std::vector<TorchSetting> fashion_mnist_torch_data(FashionPixels /*pixels*/) {
  return {};
}
std::vector<TorchSetting> images_torch_data(std::span<std::uint8_t> /*store*/) {
  return {};
}

}  // namespace bench
