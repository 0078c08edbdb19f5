// SPDX-License-Identifier: MIT
#include <Random123/philox.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include <forklift/error.hpp>
#include <forklift/sample_rng.hpp>

namespace forklift {
namespace {

__extension__ using Wide = unsigned __int128;

/// `low` for an empty interval, and never `high`, to which rounding may lift the largest draws.
template <class Float>
Float scale(Float unit, Float low, Float high) noexcept {
  const Float value = low + (high - low) * unit;
  return low < high && value >= high ? std::nextafter(high, low) : value;
}

}  // namespace

void detail::throw_bad_bound() {
  throw InvalidOptions("SampleRng::below needs a bound greater than 0");
}

void SampleRng::refill() noexcept {
  const r123::Philox4x64_R<10>::ctr_type counter{
      {counter_[0], counter_[1], counter_[2], counter_[3]}};
  const r123::Philox4x64_R<10>::key_type key{{seed_, 0}};
  const auto words = r123::Philox4x64_R<10>{}(counter, key);
  block_ = {words[0], words[1], words[2], words[3]};
  ++counter_[0];
  used_ = 0;
}

float SampleRng::uniform(float low, float high) noexcept {
  return scale(uniform_float(), low, high);
}

double SampleRng::uniform(double low, double high) noexcept {
  return scale(uniform_double(), low, high);
}

// D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019.
std::uint64_t SampleRng::below64(std::uint64_t bound) noexcept {
  Wide product = Wide{next64()} * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t uneven = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < uneven) {
      product = Wide{next64()} * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64U);
}

double SampleRng::standard_normal() noexcept {
  if (spare_normal_.has_value()) {
    const double spare = *spare_normal_;
    spare_normal_.reset();
    return spare;
  }
  const double radius =
      std::sqrt(-2.0 * std::log(1.0 - uniform_double()));  // 1 - u: never the logarithm of 0
  const double angle = 2.0 * std::numbers::pi * uniform_double();
  spare_normal_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

}  // namespace forklift
