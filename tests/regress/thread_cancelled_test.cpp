// SPDX-License-Identifier: MIT
// pthread_cancel of the thread that uses a loader, wherever it is: the thread ends, the program
// does not.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Numbers;
using test_support::SharedCount;

// A thread that runs `body`, which says when it is where it is to be cancelled.
class CancelledThread : public test_support::LeavesNothing {
 protected:
  void run(const std::function<void()>& body) {
    is_there_ = false;
    pthread_t thread{};
    auto* argument = const_cast<std::function<void()>*>(&body);
    ASSERT_EQ(pthread_create(
                  &thread,
                  nullptr,
                  [](void* function) -> void* {
                    (*static_cast<std::function<void()>*>(function))();
                    pthread_testcancel();
                    return nullptr;
                  },
                  argument),
              0);
    while (!is_there_) {
      std::this_thread::yield();
    }
    pthread_cancel(thread);
    void* result = nullptr;
    ASSERT_EQ(pthread_join(thread, &result), 0);
    EXPECT_EQ(result, PTHREAD_CANCELED);
  }
  void arrive() { is_there_ = true; }

 private:
  std::atomic<bool> is_there_ = false;
};

template <class Loader>
void iterate(Loader& loader) {
  for (auto& batch : loader) {
    static_cast<void>(batch);
  }
}

[[noreturn]] void wait_for_the_end() {
  while (true) {
    ::pause();
  }
}

TEST_F(CancelledThread, in_the_sampler) {
  for (const bool persistent : {false, true}) {
    struct Waits {
      std::function<void()> at_ten;
      struct Cursor {
        std::function<void()> at_ten;
        std::size_t index = 0;
        std::optional<std::size_t> next() {
          if (index == 10) {
            at_ten();
            wait_for_the_end();
          }
          return index++;
        }
      };
      Cursor iterate() const { return {at_ten}; }
    };
    for (const int num_workers : {0, 2}) {
      if (persistent && num_workers == 0) {
        continue;
      }
      run([&] {
        DataLoader loader(Numbers(100, test_support::identity),
                          {.sampler = Waits{[this] { arrive(); }},
                           .num_workers = num_workers,
                           .persistent_workers = persistent});
        iterate(loader);
      });
    }
  }
}

TEST_F(CancelledThread, in_a_getter_of_a_batch_that_is_passed_over) {
  run([&] {
    DataLoader loader(Numbers(100, [this](std::size_t index) -> std::int64_t {
      if (index > 2) {
        arrive();
        wait_for_the_end();
      }
      return test_support::identity(index);
    }));
    auto batch = loader.begin();
    for (int i = 0; i < 10; ++i) {
      ++batch;
    }
    static_cast<void>(batch == loader.end());
  });
}

class TooMany {
 public:
  static std::vector<std::int64_t> iterate(const WorkerInfo& /*worker*/) { return {1, 2, 3, 4}; }
  static std::size_t size() { return 2; }
};

TEST_F(CancelledThread, in_a_warning) {
  for (const int num_workers : {0, 1}) {
    run([&] {
      DataLoader loader(TooMany(), {.num_workers = num_workers});
      static_cast<void>(loader.size());
      auto batch = loader.begin();
      arrive();
      pthread_cancel(pthread_self());
      for (; batch != loader.end(); ++batch) {
      }
    });
  }
}

TEST_F(CancelledThread, in_the_warning_of_a_destructor) {
  run([&] {
    DataLoader loader(Numbers(10,
                              [](std::size_t index) -> std::int64_t {
                                while (index > 0) {
                                  ::sleep(1);
                                }
                                return test_support::identity(index);
                              }),
                      {.num_workers = 1, .on_warning = [](std::string_view /*text*/) {
                         ::usleep(1);  // a cancellation point
                       }});
    auto batch = loader.begin();
    static_cast<void>(batch == loader.end());
    arrive();
    pthread_cancel(pthread_self());
  });
}

}  // namespace
}  // namespace forklift
