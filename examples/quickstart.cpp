// SPDX-License-Identifier: MIT
// The smallest whole program: a dataset in memory, two workers, batches by structured binding.
// [readme:quickstart]
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>

#include <forklift/forklift.hpp>

struct Sample {  // any aggregate
  forklift::Tensor wave;
  std::int64_t label;
};

class Waves {  // a map-style dataset: size() and get(index)
 public:
  std::size_t size() const { return 1000; }
  Sample get(std::size_t index) const {
    Sample sample{forklift::Tensor::empty({128}), static_cast<std::int64_t>(index % 10)};
    for (float time = 0; float& value : sample.wave.data<float>()) {
      value = std::sin(static_cast<float>(sample.label + 1) * time);
      time += 0.01F;
    }
    return sample;
  }
};

int main() {
  forklift::DataLoader loader(Waves{}, {.batch_size = 64, .shuffle = true, .num_workers = 2});
  for (auto& [waves, labels] : loader) {  // float [64, 128] and int64 [64], in shared memory
    std::cout << waves.size(0) << " waves, the first one of class "
              << labels.data<std::int64_t>()[0] << '\n';
  }
}
// [/readme:quickstart]
