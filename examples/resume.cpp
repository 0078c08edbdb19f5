// SPDX-License-Identifier: MIT
// Stops in the middle of an epoch and goes on in another loader, with other workers.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>

#include <forklift/forklift.hpp>

class Numbers {
 public:
  std::size_t size() const { return 1000; }
  std::int64_t get(std::size_t index) const { return static_cast<std::int64_t>(index); }
};

int main() {
  forklift::DataLoaderOptions options{
      .batch_size = 64, .shuffle = true, .num_workers = 2, .generator = forklift::Generator(7)};
  forklift::DataLoader loader(Numbers{}, options);
  std::int64_t sum = 0;
  int batches = 0;
  for (auto& batch : loader) {
    for (const std::int64_t number : batch.data<std::int64_t>()) {
      sum += number;
    }
    if (++batches == 5) {
      break;
    }
  }

  // [readme:resume]
  const std::string saved = loader.state_dict().to_json();  // also when the iterator is gone

  options.num_workers = 1;
  options.generator = forklift::Generator(7);
  forklift::DataLoader other(Numbers{}, options);
  other.load_state_dict(forklift::StateDict::from_json(saved));
  for (auto& batch : other) {  // the very next batch, then the rest of the epoch
    for (const std::int64_t number : batch.data<std::int64_t>()) {
      sum += number;
    }
  }
  // [/readme:resume]
  std::cout << "each number once: " << (sum == 999 * 1000 / 2 ? "yes" : "no") << '\n';
  return sum == 999 * 1000 / 2 ? 0 : 1;
}
