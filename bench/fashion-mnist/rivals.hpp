// SPDX-License-Identifier: MIT
#pragma once

#include "fashion-mnist/pixels.hpp"
#include "throughput/contender.hpp"

namespace bench {

[[nodiscard]] Contender fashion_mnist_forklift(FashionPixels pixels);
[[nodiscard]] Contender fashion_mnist_raw(FashionPixels pixels);

}  // namespace bench
