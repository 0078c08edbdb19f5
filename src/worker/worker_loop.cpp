// SPDX-License-Identifier: MIT
#include "worker/worker_loop.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "ipc/completion_ring.hpp"
#include "ipc/error_record.hpp"
#include "ipc/request_queue.hpp"
#include "ipc/ring_layout.hpp"
#include "ipc/slot_writer.hpp"
#include "sys/backoff.hpp"
#include "sys/caught.hpp"
#include "sys/child_setup.hpp"
#include "sys/poller.hpp"
#include "worker/stream_set.hpp"

namespace forklift::worker {
namespace {

class Loop {
 public:
  explicit Loop(const WorkerTask& task)
      : task_(task),
        requests_(task.ring.request_queue(id())),
        completions_(task.ring.completion_ring(id())),
        own_bell_(task.own_bell),
        parent_bell_(task.parent_bell),
        writer_(task.ring),
        shown_info_(task.info),
        streams_(task.fetcher, task.info) {}

  /// What get_worker_info() is to show.
  [[nodiscard]] const WorkerInfo* info() const noexcept { return &shown_info_; }

  int run() {
    start();
    while (!is_stopped()) {
      const auto claim = requests_.try_claim(static_cast<std::uint8_t>(id()));
      if (claim.has_value()) {
        if (!serve(*claim)) {
          return leave();
        }
      } else {
        backoff_.wait(
            [this] { return is_stopped() || exit_status_ != 0 || requests_.has_posted(); },
            [this] { sleep(); });
        if (exit_status_ != 0) {
          return exit_status_;
        }
      }
    }
    return leave();
  }

 private:
  [[nodiscard]] std::uint32_t id() const { return static_cast<std::uint32_t>(task_.info.id); }
  [[nodiscard]] bool is_thread() const { return task_.parent_pidfd < 0; }
  // Relaxed: nothing is read on the strength of it; the doorbell orders it for a sleeper.
  [[nodiscard]] bool is_stopped() const {
    return task_.ring.control().stop.load(std::memory_order_relaxed) != 0;
  }

  void start() {
    const char* stage = "worker_init_fn";
    try {
      if (task_.init_fn) {
        task_.init_fn(task_.info.id);
      }
      stage = "open";
      if (task_.open_error != nullptr) {
        std::rethrow_exception(task_.open_error);
      }
      task_.fetcher.open(task_.info);
    } catch (...) {
      start_error_ = sys::caught();
      start_stage_ = stage;
      if (task_.start_exception != nullptr) {
        *task_.start_exception = start_error_;
      }
    }
  }

  // The stream that a request asks. A pass over an iterable dataset begins with its first request.
  Stream& stream_of(const ipc::SlotHeader& header) {
    if (header.pass != pass_) {
      pass_ = header.pass;
      const std::uint32_t passes_before = pass_ - task_.first_pass;
      if ((header.flags & ipc::request_flag::kGoesOn) != 0) {
        streams_.start_pass(task_.stream_states.size(), passes_before, task_.stream_states);
      } else {
        streams_.start_pass(task_.info.num_workers, passes_before, {});
      }
      streams_.fail(start_error_, start_stage_);
    }
    const auto number = static_cast<std::uint32_t>(header.stream);
    shown_info_ = streams_.info_of(number);
    return streams_.at(number);
  }

  void fail_at_start(std::uint32_t slot, const std::exception_ptr& error, std::string_view stage) {
    ipc::ErrorRecord record = ipc::describe(error);
    record.stage = stage;
    record.is_resource_error = false;  // not of a batch that did not fit
    fail(slot, error, std::move(record));
  }

  void fail(std::uint32_t slot, const std::exception_ptr& error, ipc::ErrorRecord record) {
    writer_.fail(slot, std::move(record));
    if (!task_.exceptions.empty()) {
      task_.exceptions[slot] = error;
    }
  }

  // An error has a state too, if its stream can still give one: the stream goes on behind it.
  void attach_state(std::uint32_t slot, detail::SampleStream& stream) {
    try {
      writer_.attach_state(slot, stream);
    } catch (...) {
      static_cast<void>(sys::caught());
      task_.ring.header(slot).state_offset = 0;
    }
  }

  void fill(std::uint32_t slot, detail::SampleStream* stream) {
    try {
      writer_.fill(slot, task_.fetcher, stream);
    } catch (const detail::Stopped&) {
      throw;
    } catch (...) {
      const std::exception_ptr error = sys::caught();
      fail(slot, error, ipc::describe(error));
      if (stream != nullptr) {
        attach_state(slot, *stream);
      }
    }
  }

  // What could not start has no number of batches that could each have its error: the first one
  // gets it and the stream is over.
  void fill_from(std::uint32_t slot, Stream& stream) {
    if (stream.stream != nullptr) {
      fill(slot, stream.stream.get());
    } else if (stream.error != nullptr) {
      fail_at_start(slot, std::exchange(stream.error, nullptr), stream.stage);
    } else {
      writer_.exhaust(slot);
    }
  }

  // False when the worker is to leave without an answer.
  bool serve(const ipc::Claim& claim) {
    const ipc::SlotHeader& header = task_.ring.header(claim.slot);
    try {
      if ((header.flags & ipc::request_flag::kStream) != 0) {
        fill_from(claim.slot, stream_of(header));
      } else if (start_error_ != nullptr) {
        fail_at_start(claim.slot, start_error_, start_stage_);
      } else {
        fill(claim.slot, nullptr);
      }
    } catch (const detail::Stopped&) {
      return false;
    }
    completions_.publish({.ticket = claim.ticket, .slot = claim.slot, .kind = header.kind});
    if (!parent_bell_.ring()) {
      exit_status_ = sys::kExitFdsClosed;
      return false;
    }
    return true;
  }

  void sleep() {
    own_bell_.arm();
    if (!is_stopped() && !requests_.has_posted()) {
      std::array fds = {sys::readable(own_bell_.fd()), sys::readable(task_.parent_pidfd)};
      const sys::Deadline deadline =
          is_thread() ? sys::Deadline(std::chrono::steady_clock::now() + kLookAgain) : std::nullopt;
      if (sys::wait_until_ready(fds, deadline) == sys::Woken::kBroken) {
        exit_status_ = sys::kExitFdsClosed;
      } else if (fds[1].revents != 0) {
        // Or user code has closed the descriptor and got its number again for another file.
        exit_status_ = ::getppid() == task_.parent ? sys::kExitFdsClosed : sys::kExitParentGone;
      }
    }
    own_bell_.disarm();
  }

  int leave() {
    if (exit_status_ == 0) {
      streams_.clear();  // they may point into the dataset
      task_.fetcher.close();
    }
    return exit_status_;
  }

  const WorkerTask& task_;
  ipc::RequestQueue requests_;
  ipc::CompletionRing completions_;
  ipc::Doorbell own_bell_;
  ipc::Doorbell parent_bell_;
  ipc::SlotWriter writer_;
  sys::Backoff backoff_;
  WorkerInfo shown_info_;  // to get_worker_info()
  std::exception_ptr start_error_;
  std::string_view start_stage_;  // where it comes from
  StreamSet streams_;
  std::uint32_t pass_ = 0;  // of streams_; passes count from 1
  int exit_status_ = 0;
};

}  // namespace

int run_in_process(const WorkerTask& task) {
  task.ring.keep_from_children();
  Loop loop(task);
  detail::set_worker_info(loop.info());
  detail::set_thread_worker_info(nullptr);  // of a worker thread that forked this process
  return loop.run();
}

int run_in_thread(const WorkerTask& task) {
  struct Shown {  // destructors of the thread's own objects come later
    explicit Shown(const WorkerInfo* info) { detail::set_thread_worker_info(info); }
    ~Shown() { detail::set_thread_worker_info(nullptr); }
  };
  Loop loop(task);
  const Shown shown(loop.info());
  return loop.run();
}

}  // namespace forklift::worker
