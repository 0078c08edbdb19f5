// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include <forklift/detail/library_hooks.hpp>
#include <forklift/detail/mt19937.hpp>
#include <forklift/generator.hpp>

/// What libtorch needs around a fork, and its random numbers. Only process workers are touched:
/// thread counts and generators of the host stay as they are.
namespace forklift::detail {

/// libtorch's default CPU generator must be whole in a child: its lock is held over the fork.
inline std::mutex& torch_generator_mutex() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();  // a handle
  return generator.mutex();
}
inline void lock_torch_generator() {
  torch_generator_mutex().lock();
}
inline void unlock_torch_generator() {
  torch_generator_mutex().unlock();
}

/// OpenMP's pool does not survive a fork: a child with more than one thread hangs at its first
/// parallel region.
inline void start_torch_in_child() {
  unlock_torch_generator();
  at::set_num_threads(1);
}

inline std::uint64_t torch_random63() {
  const std::lock_guard lock(torch_generator_mutex());
  constexpr std::uint64_t kLow63Bits = (std::uint64_t{1} << 63U) - 1;
  return at::check_generator<at::CPUGeneratorImpl>(at::detail::getDefaultCPUGenerator())
             ->random64() &
         kLow63Bits;
}

/// Both engines are the same one; libtorch's counts what is left of a block, and a fresh one stands
/// at 0.
inline void with_torch_generator(const std::function<void(Generator&)>& draw) {
  const std::lock_guard lock(torch_generator_mutex());
  auto* const source =
      at::check_generator<at::CPUGeneratorImpl>(at::detail::getDefaultCPUGenerator());
  at::mt19937 engine = source->engine();
  at::mt19937_data_pod data = engine.data();
  Mt19937 ours{.words = data.state_, .position = data.next_ == 0 ? Mt19937::kFresh : data.next_};
  Generator generator;
  set_engine(generator, ours);
  draw(generator);
  ours = engine_of(generator);
  data.state_ = ours.words;
  data.next_ = ours.position == Mt19937::kFresh ? 0 : static_cast<std::uint32_t>(ours.position);
  data.left_ = data.next_ == 0 ? 1 : static_cast<int>(Mt19937::kWords + 1 - ours.position);
  engine.set_data(data);
  source->set_engine(engine);
}

inline void seed_torch_generator(std::uint64_t seed) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(seed);
}

[[nodiscard]] inline LibraryHooks torch_hooks() noexcept {
  return {.fork = {.before = &lock_torch_generator,
                   .parent = &unlock_torch_generator,
                   .child = &start_torch_in_child},
          .random = {.draw63 = &torch_random63, .lend = &with_torch_generator},
          .seed_worker = &seed_torch_generator};
}

}  // namespace forklift::detail
