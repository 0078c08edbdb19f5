// SPDX-License-Identifier: MIT
#include "engine/length_check.hpp"

#include <fmt/format.h>

#include <string_view>

#include "engine/diagnostics.hpp"

namespace forklift::engine {

void LengthCheck::warn() const {
  const bool has_workers = loader_.plan.options.num_workers > 0;
  loader_.diagnostics->warn(
      Warning::kLength,
      fmt::format(
          "the length of the iterable dataset was reported to be {} (when size() of the "
          "loader was asked for), but {} samples have been fetched.{}",
          *told_,
          num_delivered_,
          std::string_view(has_workers ? " For multiprocessing data-loading, this could be caused "
                                         "by an iterate() that does not share the stream out among "
                                         "the workers"
                                       : "")));
}

}  // namespace forklift::engine
