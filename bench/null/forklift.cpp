// SPDX-License-Identifier: MIT
#include "null/dataset.hpp"
#include "null/rivals.hpp"
#include "throughput/forklift_pass.hpp"

namespace bench {

Contender null_forklift() {
  auto view = [](const forklift::Tensor& numbers) {
    const auto values = numbers.data<const std::int64_t>();
    return BatchView<std::int64_t>{values, values};
  };
  return make_contender([view](const OpenArguments& open) {
    return std::make_unique<ForkliftPass<Numbers, decltype(view)>>(
        Numbers(open.num_samples), open, view);
  });
}

}  // namespace bench
