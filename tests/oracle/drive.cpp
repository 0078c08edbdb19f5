// SPDX-License-Identifier: MIT
#include "oracle/drive.hpp"

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "oracle/samplers.hpp"

namespace oracle {

forklift::DataLoaderOptions options_of(const Combination& c,
                                       const Seeded& seeded,
                                       std::function<void(std::string_view)> warn) {
  forklift::DataLoaderOptions options;
  options.batch_size =
      c.batch_size.has_value() ? std::optional<forklift::Count>(*c.batch_size) : std::nullopt;
  options.shuffle = c.shuffle != 0;
  options.sampler = make_sampler(c, seeded);
  options.batch_sampler = make_batch_sampler(c, seeded);
  options.num_workers = c.workers;
  options.drop_last = c.drop_last != 0;
  options.timeout = c.timeout;
  if (c.init == "throws") {
    options.worker_init_fn = [](std::size_t) { throw std::domain_error("bad start"); };
  }
  options.generator = seeded.loader;
  if (c.prefetch.has_value()) {
    options.prefetch_factor = *c.prefetch;
  }
  options.persistent_workers = c.persistent != 0;
  options.in_order = c.in_order != 0;
  options.on_warning = std::move(warn);
  return options;
}

}  // namespace oracle
