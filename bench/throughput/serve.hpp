// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "throughput/channel.hpp"
#include "throughput/contender.hpp"

namespace bench {

/// Obeys the commands of RivalProcess until it is told to quit or the other side is gone.
/// Exceptions of the contender become its answers.
void serve(const std::function<Contender()>& make, Channel channel) noexcept;

}  // namespace bench
