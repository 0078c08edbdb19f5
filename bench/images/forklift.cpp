// SPDX-License-Identifier: MIT
#include "images/dataset.hpp"
#include "images/rivals.hpp"
#include "throughput/forklift_pass.hpp"

namespace bench {

Contender images_forklift(std::span<std::uint8_t> store) {
  auto view = [](const auto& batch) {
    const auto& [images, labels] = batch;
    return BatchView<std::uint8_t>{images.template data<const std::uint8_t>(),
                                   labels.template data<const std::int64_t>()};
  };
  return make_contender([store, view](const OpenArguments& open) {
    return std::make_unique<ForkliftPass<StoredImages, decltype(view)>>(
        StoredImages(store, open.num_samples), open, view);
  });
}

}  // namespace bench
