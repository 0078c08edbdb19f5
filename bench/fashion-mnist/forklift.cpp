// SPDX-License-Identifier: MIT
#include "fashion-mnist/dataset.hpp"
#include "fashion-mnist/rivals.hpp"
#include "throughput/forklift_pass.hpp"

namespace bench {

Contender fashion_mnist_forklift(FashionPixels pixels) {
  auto view = [](const auto& batch) {
    const auto& [images, labels] = batch;
    return BatchView<float>{images.template data<const float>(),
                            labels.template data<const std::int64_t>()};
  };
  return make_contender([pixels, view](const OpenArguments& open) {
    return std::make_unique<ForkliftPass<FashionImages, decltype(view)>>(
        FashionImages(pixels, open.num_samples), open, view);
  });
}

}  // namespace bench
