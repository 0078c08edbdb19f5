// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <forklift/detail/generator_blob.hpp>
#include <forklift/detail/mt19937.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/random_swaps.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift {
namespace detail {

/// An engine with its seed. The mutex is used for the default generator only.
struct GeneratorState {
  std::mutex mutex;
  Mt19937 engine;
  std::uint64_t seed = 0;
  bool is_seeded = false;

  void reseed(std::uint64_t new_seed) noexcept {
    seed = new_seed;
    is_seeded = true;
    engine.seed(static_cast<std::uint32_t>(new_seed));
  }
};

namespace {

// Neither a constructor nor a destructor runs, so it can be used before main and after it.
constinit GeneratorState default_state{};

std::uint64_t random_seed() {
  std::random_device device;
  const std::uint64_t high = device();
  return (high << 32U) | device();
}

/// The state of a handle while one draw is made: locked, and seeded, where it is the default one.
class EngineAccess {
 public:
  explicit EngineAccess(GeneratorState& state)
      : state_(&state),
        lock_(state.mutex, std::defer_lock) {
    if (state_ == &default_state) {
      lock_.lock();
      if (!state_->is_seeded) {
        state_->reseed(random_seed());
      }
    }
  }
  [[nodiscard]] Mt19937& engine() const noexcept { return state_->engine; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return state_->seed; }

 private:
  GeneratorState* state_;
  std::unique_lock<std::mutex> lock_;
};

constexpr std::uint64_t kLow63 = std::numeric_limits<std::uint64_t>::max() >> 1U;
// From here on PyTorch's random_ takes 64-bit draws.
constexpr std::uint64_t kWideRange = std::uint64_t{1} << 28U;

double draw_uniform(Mt19937& engine) noexcept {
  constexpr std::uint64_t kLow53 = (std::uint64_t{1} << 53U) - 1;
  return static_cast<double>(engine.next64() & kLow53) * 0x1p-53;
}

template <class T>
void permute(Mt19937& engine, std::span<T> out) {
  if (out.size() >= kWideRandperm) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t z = engine.next64() % (i + 1);
      out[i] = static_cast<T>(i);
      out[i] = out[z];
      out[z] = static_cast<T>(i);
    }
    return;
  }
  std::iota(out.begin(), out.end(), T{0});
  if (!out.empty()) {
    make_swaps(engine, out, 0, out.size() - 1);
  }
}

constexpr std::uint32_t twist(std::uint32_t high, std::uint32_t low) noexcept {
  const std::uint32_t mixed = (high & 0x80000000U) | (low & 0x7fffffffU);
  return (mixed >> 1U) ^ ((low & 1U) * 0x9908b0dfU);
}

}  // namespace

void Mt19937::seed(std::uint32_t seed) noexcept {
  std::uint32_t word = seed;
  words[0] = word;
  for (std::uint32_t i = 1; i < kWords; ++i) {
    word = 1812433253U * (word ^ (word >> 30U)) + i;
    words[i] = word;
  }
  position = kFresh;
}

void Mt19937::refill() noexcept {
  // Three loops in place of one with a modulo, so that the compiler can use vector instructions.
  constexpr std::size_t kMiddle = 397;
  std::size_t i = 0;
  for (; i < kWords - kMiddle; ++i) {
    words[i] = words[i + kMiddle] ^ twist(words[i], words[i + 1]);
  }
  for (; i < kWords - 1; ++i) {
    words[i] = words[i + kMiddle - kWords] ^ twist(words[i], words[i + 1]);
  }
  words[i] = words[kMiddle - 1] ^ twist(words[i], words[0]);
  position = 0;
}

void Mt19937::discard(std::uint64_t count) noexcept {
  while (count != 0) {
    if (position >= kWords) {
      refill();
    }
    const std::uint64_t step = std::min<std::uint64_t>(count, kWords - position);
    position += step;
    count -= step;
  }
}

std::uint64_t default_random63() {
  return EngineAccess(default_state).engine().next64() & kLow63;
}

Mt19937 engine_of(const Generator& generator) {
  return EngineAccess(*generator.state_).engine();
}

void set_engine(Generator& generator, const Mt19937& engine) {
  EngineAccess(*generator.state_).engine() = engine;
}

// The draws are made with a private engine: the default one's handle would lock for each of them,
// and could not keep other threads out between two.
void with_default_generator(const std::function<void(Generator&)>& draw) {
  const EngineAccess access(default_state);
  Generator generator;
  set_engine(generator, access.engine());
  draw(generator);
  access.engine() = engine_of(generator);
}

void draw_from(std::optional<Generator>& given,
               const RandomSource& source,
               const std::function<void(Generator&)>& draw) {
  if (given.has_value()) {
    draw(*given);
  } else {
    source.with_generator(draw);
  }
}

void lock_default_generator() {
  default_state.mutex.lock();
}

void unlock_default_generator() noexcept {
  default_state.mutex.unlock();
}

}  // namespace detail

using detail::EngineAccess;

Generator::Generator() : state_(std::make_shared<detail::GeneratorState>()) {
  state_->reseed(kDefaultSeed);
}

Generator::Generator(std::shared_ptr<detail::GeneratorState> state) noexcept
    : state_(std::move(state)) {}

void Generator::reseed(std::uint64_t seed) {
  std::unique_lock lock(state_->mutex, std::defer_lock);
  if (state_.get() == &detail::default_state) {
    lock.lock();
  }
  state_->reseed(seed);
}

std::uint32_t Generator::random32() {
  return EngineAccess(*state_).engine().next();
}

std::uint64_t Generator::random64() {
  return EngineAccess(*state_).engine().next64();
}

std::uint64_t Generator::random63() {
  return random64() & detail::kLow63;
}

double Generator::uniform() {
  return detail::draw_uniform(EngineAccess(*state_).engine());
}

// log1p(-u) and log(1 - u) differ in the last bit for about one draw in fourteen.
double Generator::exponential() {
  return -std::log1p(-uniform());
}

std::int64_t Generator::randint(std::int64_t low, std::int64_t high) {
  if (low >= high) {
    throw InvalidOptions(
        fmt::format("randint needs low < high, but got low={} and high={}", low, high));
  }
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const EngineAccess access(*state_);
  const std::uint64_t word =
      range >= detail::kWideRange ? access.engine().next64() : access.engine().next();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + word % range);
}

void Generator::randperm(std::span<std::uint64_t> out) {
  detail::permute(EngineAccess(*state_).engine(), out);
}

void Generator::randperm(std::span<std::uint32_t> out) {
  if (out.size() > std::uint64_t{1} << 32U) {
    throw InvalidOptions(
        fmt::format("randperm of {} elements does not fit 32-bit numbers", out.size()));
  }
  detail::permute(EngineAccess(*state_).engine(), out);
}

std::vector<std::uint64_t> Generator::randperm(std::size_t count) {
  std::vector<std::uint64_t> out(count);
  randperm(std::span(out));
  return out;
}

void Generator::skip_randperm(std::uint64_t count) {
  if (count != 0) {
    EngineAccess(*state_).engine().discard(count >= detail::kWideRandperm ? 2 * count : count - 1);
  }
}

std::vector<std::uint8_t> Generator::get_state() const {
  const EngineAccess access(*state_);
  return detail::write_state({access.engine(), access.seed()});
}

void Generator::set_state(std::span<const std::uint8_t> state) {
  const auto [engine, seed] = detail::read_state(state);
  std::unique_lock lock(state_->mutex, std::defer_lock);
  if (state_.get() == &detail::default_state) {
    lock.lock();
  }
  state_->engine = engine;
  state_->seed = seed;
  state_->is_seeded = true;
}

void Generator::discard(std::uint64_t count) {
  EngineAccess(*state_).engine().discard(count);
}

std::uint64_t Generator::initial_seed() const {
  return EngineAccess(*state_).seed();
}

Generator default_generator() {
  // Owns nothing: the state lives as long as the process.
  return Generator(
      std::shared_ptr<detail::GeneratorState>(std::shared_ptr<void>(), &detail::default_state));
}

}  // namespace forklift
