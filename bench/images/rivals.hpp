// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "throughput/contender.hpp"

namespace bench {

/// `store` is what make_images() returned; it outlives the contender.
[[nodiscard]] Contender images_forklift(std::span<std::uint8_t> store);
[[nodiscard]] Contender images_raw(std::span<std::uint8_t> store);

}  // namespace bench
