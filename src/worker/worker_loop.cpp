// SPDX-License-Identifier: MIT
#include "worker/worker_loop.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
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

namespace forklift::worker {
namespace {

class Loop {
 public:
  Loop(const WorkerTask& task, detail::Fetcher& fetcher)
      : task_(task),
        fetcher_(fetcher),
        requests_(task.ring.request_queue(id())),
        completions_(task.ring.completion_ring(id())),
        own_bell_(task.own_bell),
        parent_bell_(task.parent_bell),
        writer_(task.ring),
        stream_info_(task.info) {}

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
      fetcher_.open(task_.info);
    } catch (...) {
      describe_start_error(stage, start_error_);
      if (task_.start_exception != nullptr) {
        *task_.start_exception = start_error_->exception;
      }
    }
  }

  // A pass over an iterable dataset begins with its first request.
  void start_stream(std::uint32_t pass) {
    pass_ = pass;
    stream_.reset();
    stream_info_.passes_before = pass - task_.first_pass;
    stream_error_ = start_error_;
    if (start_error_.has_value()) {
      return;
    }
    const char* stage = "iterate";
    try {
      stream_ = fetcher_.start(stream_info_);
      if (pass == task_.first_pass && task_.stream_state.has_value()) {
        stage = "restore";
        stream_->restore(*task_.stream_state);
      }
    } catch (...) {
      stream_.reset();
      describe_start_error(stage, stream_error_);
    }
  }

  struct StartError {
    std::exception_ptr exception;
    ipc::ErrorRecord record;
  };

  // Of the exception that is being handled.
  static void describe_start_error(const char* stage, std::optional<StartError>& error) {
    error.emplace(StartError{.exception = sys::caught(), .record = {}});
    error->record = ipc::describe(error->exception);
    error->record.stage = stage;
    error->record.is_resource_error = false;  // not of a batch that did not fit
  }

  void fail(std::uint32_t slot, const StartError& error) {
    fail(slot, error.exception, error.record);
  }
  void fail(std::uint32_t slot, std::exception_ptr exception, ipc::ErrorRecord record) {
    writer_.fail(slot, std::move(record));
    if (!task_.exceptions.empty()) {
      task_.exceptions[slot] = std::move(exception);
    }
  }

  // What a worker that could not start answers: each batch gets the error; a stream has no number
  // of them, so that its first batch gets it and the stream is over.
  void refuse(std::uint32_t slot, bool is_stream) {
    if (!is_stream) {
      fail(slot, *start_error_);
    } else if (stream_error_.has_value()) {
      fail(slot, *std::exchange(stream_error_, std::nullopt));
    } else {
      writer_.exhaust(slot);
    }
  }

  // An error has a state too, if its stream can still give one: the stream goes on behind it.
  void attach_state(std::uint32_t slot) {
    try {
      if (stream_ != nullptr) {
        writer_.attach_state(slot, *stream_);
      }
    } catch (...) {
      static_cast<void>(sys::caught());
      task_.ring.header(slot).state_offset = 0;
    }
  }

  // False when the worker is to leave without an answer.
  bool serve(const ipc::Claim& claim) {
    const ipc::SlotHeader& header = task_.ring.header(claim.slot);
    const bool is_stream = (header.flags & ipc::request_flag::kStream) != 0;
    if (is_stream && header.pass != pass_) {
      start_stream(header.pass);
    }
    if (start_error_.has_value() || (is_stream && stream_ == nullptr)) {
      refuse(claim.slot, is_stream);
    } else {
      try {
        writer_.fill(claim.slot, fetcher_, stream_.get());
      } catch (const detail::Stopped&) {
        return false;
      } catch (...) {
        const std::exception_ptr exception = sys::caught();
        fail(claim.slot, exception, ipc::describe(exception));
        attach_state(claim.slot);
      }
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
      if (sys::wait_until_ready(fds, std::nullopt) == sys::Woken::kBroken) {
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
      stream_.reset();  // it may point into the dataset
      fetcher_.close();
    }
    return exit_status_;
  }

  const WorkerTask& task_;
  detail::Fetcher& fetcher_;
  ipc::RequestQueue requests_;
  ipc::CompletionRing completions_;
  ipc::Doorbell own_bell_;
  ipc::Doorbell parent_bell_;
  ipc::SlotWriter writer_;
  sys::Backoff backoff_;
  std::optional<StartError> start_error_;
  WorkerInfo stream_info_;  // a stream may refer to it
  std::unique_ptr<detail::SampleStream> stream_;
  std::optional<StartError> stream_error_;  // not yet told
  std::uint32_t pass_ = 0;                  // of stream_; passes count from 1
  int exit_status_ = 0;
};

}  // namespace

int run_in_process(const WorkerTask& task) {
  task.ring.keep_from_children();
  detail::set_worker_info(&task.info);
  return Loop(task, task.fetcher).run();
}

int run_in_thread(const WorkerTask& task, detail::Fetcher& fetcher) {
  detail::set_thread_worker_info(&task.info);
  return Loop(task, fetcher).run();
}

}  // namespace forklift::worker
