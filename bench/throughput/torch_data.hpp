// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fashion-mnist/pixels.hpp"
#include "throughput/contender.hpp"

namespace bench {

/// A way to use torch::data.
struct TorchSetting {
  std::string name;                 ///< of the loader in the table
  std::function<Contender()> make;  ///< called in the contender's own process
};

/// Whether this program was built with libtorch, and which: one of two files defines this, chosen
/// by CMake.
[[nodiscard]] bool has_torch_data();
[[nodiscard]] std::string torch_version();

/// Empty without libtorch. The first setting is torch::data's default.
[[nodiscard]] std::vector<TorchSetting> null_torch_data();
[[nodiscard]] std::vector<TorchSetting> fashion_mnist_torch_data(FashionPixels pixels);
[[nodiscard]] std::vector<TorchSetting> images_torch_data(std::span<std::uint8_t> store);

}  // namespace bench
