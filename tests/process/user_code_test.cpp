// SPDX-License-Identifier: MIT
// UserCode and their loader: several at once, moved, outlived, shared; and what becomes of the
// dataset, the sampler and the collate_fn that they use. Semantics 3.3, 6.1 and 10.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::Numbers;
using test_support::SharedCount;
using test_support::Values;
using Loader = DataLoader<Numbers>;

class UserCode : public test_support::LeavesNothing {};

// Move-only; counts how it is treated, over processes.
struct Counts {
  SharedCount opened;
  SharedCount opened_wrongly;
  SharedCount moved;
  SharedCount destroyed_in_worker;
};

class Unopened {
 public:
  explicit Unopened(const Counts& counts) : counts_(&counts) {}
  Unopened(Unopened&& other) noexcept : counts_(other.counts_) { ++counts_->moved.value(); }
  Unopened& operator=(Unopened&&) = delete;
  ~Unopened() {
    if (::getpid() != main_) {
      ++counts_->destroyed_in_worker.value();
    }
  }
  [[nodiscard]] std::size_t size() const { return 8; }
  [[nodiscard]] std::int64_t get(std::size_t index) const { return identity(index); }

 protected:
  const Counts& counts() const { return *counts_; }
  [[nodiscard]] bool is_in_main() const { return ::getpid() == main_; }

 private:
  const Counts* counts_;
  pid_t main_ = ::getpid();
};

class Opened : public Unopened {
 public:
  using Unopened::Unopened;
  void open(const WorkerInfo& info) {
    ++counts().opened.value();
    const WorkerInfo* own = get_worker_info();
    const bool is_right = is_in_main() ? own == nullptr && info.num_workers == 1
                                       : own != nullptr && own->id == info.id &&
                                             own->seed == info.seed && info.num_workers == 3;
    counts().opened_wrongly.value() += is_right ? 0 : 1;
    is_open_ = true;
  }
  [[nodiscard]] std::int64_t get(std::size_t index) const {
    return identity(index) + (is_open_ ? 0 : 100);
  }

 private:
  bool is_open_ = false;
};

template <class Dataset>
void run_passes(const Counts& counts, int num_workers, bool persistent) {
  DataLoader loader(Dataset(counts),
                    {.batch_size = 2,
                     .num_workers = num_workers,
                     .persistent_workers = persistent,
                     .on_warning = [](std::string_view) {}});
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (auto& batch : loader) {
      EXPECT_LT(batch.template data<std::int64_t>()[1], 8);
    }
  }
}

TEST_F(UserCode, a_dataset_without_open_is_neither_destroyed_in_the_workers_nor_copied) {
  for (const int num_workers : {0, 3}) {
    const Counts counts;
    run_passes<Unopened>(counts, num_workers, false);
    EXPECT_EQ(counts.destroyed_in_worker.value(), 0);
    EXPECT_LE(counts.moved.value(), 2);
  }
}

TEST_F(UserCode, open_runs_once_in_each_worker_and_such_a_dataset_is_destroyed_there) {
  const struct {
    int num_workers;
    bool persistent;
    int opened;
  } cases[] = {{0, false, 1}, {3, false, 6}, {3, true, 3}};
  for (const auto& [num_workers, persistent, opened] : cases) {
    const Counts counts;
    run_passes<Opened>(counts, num_workers, persistent);
    EXPECT_EQ(counts.opened.value(), opened);
    EXPECT_EQ(counts.opened_wrongly.value(), 0);
    EXPECT_EQ(counts.destroyed_in_worker.value(), num_workers > 0 ? opened : 0);
  }
}

struct CannotOpen {
  void open(const WorkerInfo& info) {
    if (info.id + 1 == info.num_workers) {
      throw std::runtime_error("no such archive");
    }
  }
  [[nodiscard]] std::size_t size() const { return 6; }
  [[nodiscard]] std::int64_t get(std::size_t index) const { return identity(index); }
};

TEST_F(UserCode, an_open_that_throws_is_told_at_each_batch_of_that_worker) {
  DataLoader loader(CannotOpen{}, {.num_workers = 2});
  std::vector<std::size_t> failed;
  std::size_t good = 0;
  for (auto batch = loader.begin();; ++batch) {
    try {
      if (batch == loader.end()) {
        break;
      }
      ++good;
    } catch (const WorkerError& error) {
      failed.push_back(error.batch_index());
      EXPECT_EQ(error.worker_id(), 1U);
      EXPECT_EQ(error.original_message(), "no such archive");
      EXPECT_NE(std::string_view(error.what()).find("open"), std::string_view::npos);
    }
  }
  EXPECT_EQ(good, 3U);
  EXPECT_EQ(failed, std::vector<std::size_t>({1, 3, 5}));
}

TEST_F(UserCode, an_open_that_throws_with_no_workers_is_told_at_each_batch_too) {
  struct Never : Numbers {
    Never() : Numbers(4, identity) {}
    void open(const WorkerInfo& /*info*/) { throw std::length_error("no such archive"); }
  };
  DataLoader loader(Never{}, {.batch_size = 2});
  std::vector<std::size_t> failed;
  for (auto batch = loader.begin();; ++batch) {
    try {
      if (batch == loader.end()) {
        break;
      }
      ADD_FAILURE() << "a batch";
    } catch (const WorkerError& error) {
      failed.push_back(error.batch_index());
      EXPECT_EQ(error.original_message(), "no such archive");
      EXPECT_NE(std::string_view(error.what()).find("open"), std::string_view::npos);
      EXPECT_THROW(std::rethrow_if_nested(error), std::length_error);
    }
  }
  EXPECT_EQ(failed, std::vector<std::size_t>({0, 1}));
}

TEST_F(UserCode, a_collate_fn_s_exception_stands_at_its_batch) {
  for (const int num_workers : {0, 2}) {
    DataLoader loader(Numbers(12, identity),
                      {.batch_size = 2, .num_workers = num_workers},
                      [](std::vector<std::int64_t> samples) {
                        if (samples[0] == 6) {
                          throw std::length_error("of this batch");
                        }
                        return samples;
                      });
    Values firsts;
    for (auto batch = loader.begin();; ++batch) {
      try {
        if (batch == loader.end()) {
          break;
        }
        firsts.push_back((*batch)[0]);
      } catch (const WorkerError& error) {
        EXPECT_EQ(error.batch_index(), 3U);
        EXPECT_FALSE(error.dataset_index().has_value());
        EXPECT_NE(error.original_type().find("length_error"), std::string::npos);
      }
    }
    EXPECT_EQ(firsts, Values({0, 2, 4, 8, 10}));
  }
}

}  // namespace
}  // namespace forklift
