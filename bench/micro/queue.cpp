// SPDX-License-Identifier: MIT
#include <cstddef>
#include <memory>
#include <new>
#include <stop_token>
#include <thread>

#include <benchmark/benchmark.h>

#include "ipc/completion_ring.hpp"
#include "ipc/request_queue.hpp"

namespace {

using forklift::ipc::CompletionRing;
using forklift::ipc::RequestQueue;

/// Heap memory on a cache line, as the ring's control extent gives it.
class Lines {
 public:
  explicit Lines(std::size_t bytes)
      : memory_(static_cast<std::byte*>(
            ::operator new (bytes, std::align_val_t{forklift::ipc::kCacheLine}))) {}
  [[nodiscard]] std::byte* get() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const {
      ::operator delete (memory, std::align_val_t{forklift::ipc::kCacheLine});
    }
  };
  std::unique_ptr<std::byte, Free> memory_;
};

/// A queue and a completion ring as one worker and its parent have them.
struct Pair {
  explicit Pair(std::uint32_t capacity)
      : queue_memory(RequestQueue::bytes(capacity)),
        ring_memory(CompletionRing::bytes(capacity)) {
    RequestQueue::format(queue_memory.get(), capacity);
    CompletionRing::format(ring_memory.get(), capacity);
  }
  Lines queue_memory;
  Lines ring_memory;
};

/// One request all the way round on one core: post, claim, publish, take, release.
void request_round_trip(benchmark::State& state) {
  const auto capacity = static_cast<std::uint32_t>(state.range(0));
  const Pair pair(capacity);
  RequestQueue queue(pair.queue_memory.get(), capacity);
  CompletionRing ring(pair.ring_memory.get(), capacity);
  for ([[maybe_unused]] auto _ : state) {
    static_cast<void>(queue.try_post(1));
    if (const auto claim = queue.try_claim(0)) {
      ring.publish({claim->ticket, claim->slot, 0});
    }
    if (const auto completion = ring.try_take()) {
      queue.release(completion->ticket);
    }
  }
}
BENCHMARK(request_round_trip)->Arg(4)->Arg(32);

/// The worker's side on a thread of its own.
void complete_all(const Pair& pair, std::uint32_t capacity, const std::stop_token& stop) {
  RequestQueue claims(pair.queue_memory.get(), capacity);
  CompletionRing completions(pair.ring_memory.get(), capacity);
  while (!stop.stop_requested()) {
    if (const auto claim = claims.try_claim(0)) {
      completions.publish({claim->ticket, claim->slot, 0});
    } else {
      std::this_thread::yield();
    }
  }
}

forklift::ipc::Completion take(CompletionRing& ring) {
  auto completion = ring.try_take();
  while (!completion) {
    std::this_thread::yield();
    completion = ring.try_take();
  }
  return *completion;
}

/// The same with the worker on another core, a window of requests kept posted.
void request_between_cores(benchmark::State& state) {
  constexpr std::uint32_t kCapacity = 64;
  const auto window = state.range(0);
  const Pair pair(kCapacity);
  RequestQueue queue(pair.queue_memory.get(), kCapacity);
  CompletionRing ring(pair.ring_memory.get(), kCapacity);
  const std::jthread worker(
      [&pair](const std::stop_token& stop) { complete_all(pair, kCapacity, stop); });
  for (std::int64_t posted = 0; posted < window; ++posted) {
    static_cast<void>(queue.try_post(1));
  }
  for ([[maybe_unused]] auto _ : state) {
    queue.release(take(ring).ticket);
    static_cast<void>(queue.try_post(1));
  }
}
BENCHMARK(request_between_cores)->Arg(4)->Arg(32)->UseRealTime();

}  // namespace
