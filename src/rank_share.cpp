// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstddef>

#include <forklift/count.hpp>
#include <forklift/detail/rank_share.hpp>
#include <forklift/error.hpp>

namespace forklift::detail {

RankShare::RankShare(const Count& num_replicas,
                     const Count& rank,
                     std::size_t length,
                     bool drop_last)
    : num_replicas_(num_replicas.value()),
      rank_(rank.value()),
      length_(length),
      drop_last_(drop_last) {
  if (num_replicas_ == 0) {  // a negative one has the value 0
    throw InvalidOptions(
        fmt::format("num_replicas should be a positive integer value, but got num_replicas={}",
                    num_replicas.text()));
  }
  if (rank.is_negative() || rank_ >= num_replicas_) {
    throw InvalidOptions(fmt::format(
        "Invalid rank {}, rank should be in the interval [0, {}]", rank.text(), num_replicas_ - 1));
  }
}

}  // namespace forklift::detail
