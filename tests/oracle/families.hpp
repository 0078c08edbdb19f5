// SPDX-License-Identifier: MIT
#pragma once

#include "oracle/combination.hpp"
#include "oracle/dice.hpp"

/// Kinds of combinations, each drawn at random from those that make sense together.
namespace oracle {

/// Map-style datasets of all kinds, in order or shuffled.
[[nodiscard]] Combination draw_map_style(Dice& dice);
[[nodiscard]] Combination draw_sampler(Dice& dice);
[[nodiscard]] Combination draw_batch_sampler(Dice& dice);
[[nodiscard]] Combination draw_stream(Dice& dice);
/// Getters and workers that throw.
[[nodiscard]] Combination draw_failing(Dice& dice);
/// Options that exclude each other or have no such value, several at a time.
[[nodiscard]] Combination draw_refused(Dice& dice);
/// Datasets and samplers that cannot be made.
[[nodiscard]] Combination draw_refused_part(Dice& dice);

}  // namespace oracle
