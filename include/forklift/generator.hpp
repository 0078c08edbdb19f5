// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace forklift {

class Generator;

namespace detail {
struct GeneratorState;
struct Mt19937;

/// The engine behind a handle, copied out and in. The seed that initial_seed() tells is left alone.
[[nodiscard]] Mt19937 engine_of(const Generator& generator);
void set_engine(Generator& generator, const Mt19937& engine);

/// A seed: any integer type but bool. Negative seeds wrap modulo 2^64.
template <class T>
concept SeedInteger = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;

/// Keeps draws of other threads from the default generator out. Held over a fork, so that the child
/// starts with a whole engine and a free lock: parent and child unlock. Owner: the thread that
/// locked, also in the child.
void lock_default_generator();
void unlock_default_generator() noexcept;
}  // namespace detail

/// Handle to a random engine that gives PyTorch's numbers for PyTorch's seeds. Copies share the
/// engine, and a move copies, so that no handle is ever without one.
///
/// Thread: a handle to an engine of its own: one at a time; the default generator: any, each call
/// is one draw. Source: PyTorch 2.15 at::CPUGeneratorImpl and the CPU kernels of random_, uniform_,
/// exponential_, randperm.
class Generator {
 public:
  /// The seed of a new torch.Generator.
  static constexpr std::uint64_t kDefaultSeed = 67280421310721;

  /// A new engine with kDefaultSeed.
  Generator();
  /// A new engine; seeds equal modulo 2^32 give the same stream.
  template <detail::SeedInteger Seed>
  explicit Generator(Seed seed) : Generator() {
    manual_seed(seed);
  }
  Generator(const Generator&) = default;
  Generator& operator=(const Generator&) = default;
  ~Generator() = default;

  /// Starts the stream of `seed`, for every copy of this handle.
  template <detail::SeedInteger Seed>
  void manual_seed(Seed seed) {
    reseed(static_cast<std::uint64_t>(seed));
  }

  /// The next word of the engine.
  std::uint32_t random32();
  /// Two words, the first one in the high half.
  std::uint64_t random64();
  /// The low 63 bits of random64(): PyTorch's draw of base seeds and sampler seeds.
  std::uint64_t random63();
  /// Uniform in [0, 1), 53 bits, two words.
  double uniform();
  /// Exponential of rate 1, two words.
  double exponential();
  /// Uniform in [low, high) by plain modulo: one word, or two from 2^28 values on (PyTorch
  /// since 2.7). Errors: InvalidOptions for an empty range.
  std::int64_t randint(std::int64_t low, std::int64_t high);
  /// Fills `out` with a permutation of 0..out.size()-1, as torch.randperm does: out.size()-1 words,
  /// or, from 214748364 elements on, two words for each element.
  void randperm(std::span<std::uint64_t> out);
  /// The same numbers, for at most 2^32 elements. Errors: InvalidOptions for more.
  void randperm(std::span<std::uint32_t> out);
  [[nodiscard]] std::vector<std::uint64_t> randperm(std::size_t count);
  /// Leaves the engine where randperm of `count` elements would leave it.
  void skip_randperm(std::uint64_t count);
  /// Skips `count` words: calls of random32(). Under a nanosecond for each.
  void discard(std::uint64_t count);

  /// Bytes of a state.
  static constexpr std::size_t kStateBytes = 5056;
  /// The engine's state, byte for byte what torch.Generator.get_state() gives for a generator with
  /// the same history of draws; normal numbers that PyTorch keeps for later are not kept here.
  [[nodiscard]] std::vector<std::uint8_t> get_state() const;
  /// Takes a state of get_state(), Forklift's or PyTorch's, for every copy of this handle.
  /// Errors: InvalidOptions for another number of bytes, or for what no engine can be in.
  void set_state(std::span<const std::uint8_t> state);

  /// The seed last given, all 64 bits.
  [[nodiscard]] std::uint64_t initial_seed() const;
  /// True for handles to the same engine.
  friend bool operator==(const Generator&, const Generator&) = default;

 private:
  friend Generator default_generator();
  friend detail::Mt19937 detail::engine_of(const Generator& generator);
  friend void detail::set_engine(Generator& generator, const detail::Mt19937& engine);
  explicit Generator(std::shared_ptr<detail::GeneratorState> state) noexcept;
  void reseed(std::uint64_t seed);

  std::shared_ptr<detail::GeneratorState> state_;
};

/// The process-wide generator. Its seed is not deterministic until manual_seed() is called.
[[nodiscard]] Generator default_generator();

/// Seeds the default generator. Thread: any.
template <detail::SeedInteger Seed>
void manual_seed(Seed seed) {
  default_generator().manual_seed(seed);
}

}  // namespace forklift
