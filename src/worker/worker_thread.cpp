// SPDX-License-Identifier: MIT
#include "worker/worker_thread.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <array>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "sys/caught.hpp"
#include "sys/child_setup.hpp"
#include "sys/current_pid.hpp"
#include "sys/signal_mask.hpp"
#include "worker/worker_exit.hpp"

#include <forklift/error.hpp>

namespace forklift::worker {

WorkerThread::State::State(const WorkerTask& of_worker,
                           std::unique_ptr<detail::Fetcher> own_fetcher)
    : fetcher(std::move(own_fetcher)),
      task(of_worker),
      status(sys::kExitThreadEnded) {}

WorkerThread::WorkerThread(const WorkerTask& task, std::unique_ptr<detail::Fetcher> fetcher)
    : state_(std::make_unique<State>(task, std::move(fetcher))),
      owner_(sys::current_pid()) {
  const sys::SignalsBlocked blocked(sys::signals_for_other_threads());
  try {
    state_->thread = std::thread([state = state_.get()] { run(*state); });
  } catch (const std::system_error& error) {
    throw SystemError("pthread_create", "its thread", error.code().value());
  }
}

WorkerThread::~WorkerThread() {
  if (sys::current_pid() == owner_) {
    state_->thread.join();
  } else {
    // A fork: the thread, which may have held any of it, is not here.
    state_->end.close();
    static_cast<void>(state_.release());
  }
}

void WorkerThread::run(State& state) {
  // The end is told in any case, also when the user's code ends the thread (pthread_exit).
  struct TellsEnd {
    State& state;
    ~TellsEnd() { static_cast<void>(state.end.ring()); }  // closed by the host: it joins then
  };
  const TellsEnd tells{state};
  const std::string name = fmt::format("forklift:w{}", state.task.info.id);
  static_cast<void>(::pthread_setname_np(::pthread_self(), name.c_str()));  // only a name
  try {
    state.status.store(run_in_thread(state.task));
  } catch (...) {
    static_cast<void>(sys::caught());
    state.status.store(sys::kExitUncaught);
  }
}

bool WorkerThread::wait_for_end(sys::Deadline deadline) noexcept {
  std::array fds = {sys::readable(end_fd())};
  // Closed by the host: nothing is known but that it is joined.
  return sys::wait_until_ready(fds, deadline) != sys::Woken::kTimedOut;
}

void WorkerThread::kill() noexcept {
  static_cast<void>(state_->end.ring());
}

void WorkerThread::describe_end(WorkerDied::Record& record) {
  record.hint = hint_for_thread(state_->status.load());
}

}  // namespace forklift::worker
