// SPDX-License-Identifier: MIT
#include "throughput/raw_contender.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>

#include "throughput/forked_loops.hpp"

namespace bench {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr char kTimed = 't';    // few places, used again and again
constexpr char kChecked = 'c';  // a place for each batch

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Shared memory of which only touched pages count.
class SharedMapping {
 public:
  explicit SharedMapping(std::size_t bytes)
      : bytes_(bytes),
        memory_(mmap(nullptr,
                     bytes,
                     PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1,
                     0)) {
    if (memory_ == MAP_FAILED) {
      throw std::system_error(errno, std::generic_category(), "mmap");
    }
  }
  SharedMapping(const SharedMapping&) = delete;
  SharedMapping& operator=(const SharedMapping&) = delete;
  ~SharedMapping() { munmap(memory_, bytes_); }

  [[nodiscard]] std::byte* at(std::size_t offset) const {
    return static_cast<std::byte*>(memory_) + offset;
  }

 private:
  std::size_t bytes_;
  void* memory_;
};

class RawPass {
 public:
  RawPass(RawWorkload workload, const OpenArguments& open)
      : workload_(std::move(workload)),
        open_(open),
        num_batches_((open.num_samples + open.batch_size - 1) / open.batch_size),
        labels_offset_(aligned(open.batch_size * workload_.value_bytes_per_sample)),
        stride_(labels_offset_ + aligned(open.batch_size * sizeof(std::int64_t))),
        mapping_(std::max(num_batches_, num_loops() * open.prefetch_factor) * stride_) {
    if (open_.num_workers > 0) {
      loops_.emplace(open_.num_workers,
                     [this](std::size_t worker, char mode) { run_loop(worker, mode); });
    }
  }

  void run(char mode) {
    if (loops_) {
      loops_->run(mode);
    } else {
      run_loop(0, mode);
    }
  }

  void read_one_of_each_place() const {
    const std::size_t places = std::min(num_batches_, num_loops() * open_.prefetch_factor);
    for (std::size_t place = 0; place < places; ++place) {
      keep(static_cast<std::int64_t>(*mapping_.at(place * stride_)));
    }
  }

  [[nodiscard]] Observed observed() const {
    Observed seen;
    for (std::size_t batch = 0; batch < num_batches_; ++batch) {
      const std::size_t rows = rows_of(batch);
      seen.sums.push_back(workload_.sum(mapping_.at(batch * stride_), rows));
      const auto labels = labels_at(batch, rows);
      seen.labels.insert(seen.labels.end(), labels.begin(), labels.end());
    }
    return seen;
  }

 private:
  [[nodiscard]] std::size_t num_loops() const {
    return std::max<std::size_t>(1, open_.num_workers);
  }
  [[nodiscard]] std::size_t rows_of(std::size_t batch) const {
    return std::min(open_.batch_size, open_.num_samples - batch * open_.batch_size);
  }
  [[nodiscard]] std::span<std::int64_t> labels_at(std::size_t place, std::size_t rows) const {
    void* const memory = mapping_.at(place * stride_ + labels_offset_);
    return {static_cast<std::int64_t*>(memory), rows};
  }

  void run_loop(std::size_t worker, char mode) const {
    std::size_t turn = 0;
    for (std::size_t batch = worker; batch < num_batches_; batch += num_loops()) {
      const std::size_t place = mode == kChecked ? batch : worker * open_.prefetch_factor + turn;
      workload_.fill(
          mapping_.at(place * stride_), labels_at(place, rows_of(batch)), batch * open_.batch_size);
      std::atomic_signal_fence(std::memory_order_seq_cst);  // each batch is really written
      turn = turn + 1 == open_.prefetch_factor ? 0 : turn + 1;
    }
  }

  RawWorkload workload_;
  OpenArguments open_;
  std::size_t num_batches_;
  std::size_t labels_offset_;
  std::size_t stride_;
  SharedMapping mapping_;
  std::optional<ForkedLoops> loops_;  // last: the children end before the mapping goes
};

}  // namespace

Contender make_raw(RawWorkload workload) {
  auto pass = std::make_shared<std::unique_ptr<RawPass>>();
  Contender out;
  out.open = [pass, workload = std::move(workload)](const OpenArguments& arguments) {
    pass->reset();
    *pass = std::make_unique<RawPass>(workload, arguments);
  };
  out.check = [pass] {
    (*pass)->run(kChecked);
    return (*pass)->observed();
  };
  out.round = [pass] {
    const auto start = std::chrono::steady_clock::now();
    (*pass)->run(kTimed);
    (*pass)->read_one_of_each_place();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  return out;
}

}  // namespace bench
