// SPDX-License-Identifier: MIT
#include "oracle/grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "oracle/dice.hpp"
#include "oracle/families.hpp"

namespace oracle {
namespace {

constexpr std::uint64_t kSeed = 20240229;

struct Share {
  Combination (*draw)(Dice& dice);
  std::size_t count;
};
constexpr std::array<Share, 7> kShares{{{draw_map_style, 760},
                                        {draw_sampler, 440},
                                        {draw_batch_sampler, 120},
                                        {draw_stream, 340},
                                        {draw_failing, 140},
                                        {draw_refused, 360},
                                        {draw_refused_part, 120}}};

}  // namespace

std::vector<Combination> grid() {
  Dice dice(kSeed);
  std::set<std::string> lines;
  std::vector<Combination> combinations;
  for (const Share& share : kShares) {
    for (std::size_t drawn = 0; drawn < share.count;) {
      const Combination combination = share.draw(dice);
      if (lines.insert(to_line(combination)).second) {
        combinations.push_back(combination);
        ++drawn;
      }
    }
  }
  return combinations;
}

}  // namespace oracle
