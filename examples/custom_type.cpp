// SPDX-License-Identifier: MIT
// A type that no rule collates, because its values have unequal lengths: one function beside it
// says what a batch of it is, wherever it stands in a sample.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <span>
#include <utility>
#include <vector>

#include <forklift/forklift.hpp>

// [readme:custom-type]
namespace shop {

class Basket {
 public:
  explicit Basket(std::vector<std::int64_t> goods) : goods_(std::move(goods)) {}
  const std::vector<std::int64_t>& goods() const { return goods_; }

 private:
  std::vector<std::int64_t> goods_;
};

struct Baskets {
  forklift::Tensor goods;    // int64, of all baskets one behind the other
  forklift::Tensor offsets;  // int64 [baskets + 1], where in goods each basket begins
};

// Found by its name, in the namespace of Basket. A second parameter `forklift::BatchWriter& slot`
// would give tensors that lie in the batch's slot.
Baskets forklift_collate(std::span<const Basket> baskets) {
  std::vector<std::int64_t> goods;
  std::vector<std::int64_t> offsets{0};
  for (const Basket& basket : baskets) {
    goods.insert(goods.end(), basket.goods().begin(), basket.goods().end());
    offsets.push_back(static_cast<std::int64_t>(goods.size()));
  }
  return {forklift::Tensor::of(goods), forklift::Tensor::of(offsets)};
}

struct Purchase {
  Basket basket;
  double price;
};

}  // namespace shop
// [/readme:custom-type]

namespace {

// Basket i holds i % 4 times the good i.
class Purchases {
 public:
  static std::size_t size() { return 1000; }
  static shop::Purchase get(std::size_t index) {
    return {shop::Basket(std::vector(index % 4, static_cast<std::int64_t>(index))),
            0.5 * static_cast<double>(index)};
  }
};

}  // namespace

int main() {
  try {
    std::int64_t count = 0;
    double total = 0;
    // [readme:custom-type-use]
    forklift::DataLoader loader(Purchases{}, {.batch_size = 32, .num_workers = 2});
    for (auto& [baskets, prices] : loader) {  // Baskets, and double [32]
      count += baskets.offsets.data<std::int64_t>().back();
      for (const double price : prices.data<double>()) {
        total += price;
      }
    }
    // [/readme:custom-type-use]
    std::cout << count << " goods for " << total << '\n';
    return count == 1500 && total == 249750 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "custom_type: " << error.what() << '\n';
    return 1;
  }
}
