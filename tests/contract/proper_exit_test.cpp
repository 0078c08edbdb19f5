// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py, TestDataLoader.test_proper_exit: however a program ends, its
// workers end too, and it ends by itself. Semantics 3.7, 6.5 and 6.6.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/process_guard.hpp"
#include "support/sharded.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Sharded;
using TestDataLoader = test_support::LeavesNothing;

enum class Fault { kNone, kLoaderError, kWorkerError, kLoaderKill };

struct Case {
  int num_workers = 0;
  bool persistent = false;
  bool hold_reference = false;  // loader and iterator live until the statics are destroyed
  Fault fault = Fault::kNone;

  [[nodiscard]] std::string text() const {
    return std::to_string(num_workers) + " workers" + (persistent ? ", persistent" : "") +
           (hold_reference ? ", held" : "") + ", fault " + std::to_string(static_cast<int>(fault));
  }
};

// A pass of at least 20 batches, with the fault at the third one.
template <class Loader>
void run_pass(Loader& loader, typename Loader::iterator& batch, Fault fault) {
  for (int number = 0; batch != loader.end(); ++batch, ++number) {
    if (number == 2 && fault == Fault::kLoaderError) {
      throw std::runtime_error("loader error");
    }
    if (number == 2 && fault == Fault::kLoaderKill) {
      ::kill(::getpid(), SIGKILL);
    }
  }
}

// The program: leaves by exit(), with status 1 after an exception.
template <class Dataset>
[[noreturn]] void be_the_host(Dataset dataset, const Case& host) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  int status = 0;
  try {
    static std::optional<DataLoader<Dataset>> held;
    static std::optional<typename DataLoader<Dataset>::iterator> held_batch;
    DataLoader<Dataset> loader(std::move(dataset),
                               {.num_workers = host.num_workers,
                                .persistent_workers = host.persistent,
                                .on_warning = [](std::string_view) {}});
    if (host.hold_reference) {
      held.emplace(std::move(loader));
      held_batch.emplace(held->begin());
      run_pass(*held, *held_batch, host.fault);
    } else {
      auto batch = loader.begin();
      run_pass(loader, batch, host.fault);
    }
  } catch (const std::exception&) {
    status = 1;
  }
  std::exit(status);
}

std::int64_t number_or_error(std::size_t number, Fault fault) {
  if (number == 5 && fault == Fault::kWorkerError) {
    throw std::runtime_error("worker error");
  }
  return static_cast<std::int64_t>(number);
}

void expect_proper_exit(bool is_iterable, const Case& host) {
  SCOPED_TRACE(std::string(is_iterable ? "iterable, " : "map-style, ") + host.text());
  const Fault fault = host.fault;
  const int status = test_support::run_in_child([&]() -> int {
    if (is_iterable) {
      be_the_host(Sharded({20, 20, 20},
                          [fault](std::size_t, std::size_t number) {
                            return number_or_error(number, fault);
                          }),
                  host);
    }
    be_the_host(test_support::Numbers(
                    20, [fault](std::size_t index) { return number_or_error(index, fault); }),
                host);
  });
  EXPECT_EQ(status, fault == Fault::kNone ? 0 : fault == Fault::kLoaderKill ? -SIGKILL : 1);
  EXPECT_TRUE(test_support::eventually(test_support::is_childless)) << "workers are left";
}

TEST_F(TestDataLoader, proper_exit) {
  const struct {
    int num_workers;
    bool persistent;
  } modes[] = {{0, false}, {2, false}, {3, true}};
  for (const bool is_iterable : {false, true}) {
    for (const auto& [num_workers, persistent] : modes) {
      for (const bool hold_reference : {false, true}) {
        for (const Fault fault :
             {Fault::kNone, Fault::kLoaderError, Fault::kWorkerError, Fault::kLoaderKill}) {
          expect_proper_exit(is_iterable, {num_workers, persistent, hold_reference, fault});
        }
      }
    }
  }
}

}  // namespace
}  // namespace forklift
