// SPDX-License-Identifier: MIT
#pragma once

// Each loader under test lives in a process of its own, so that no loader pays for the threads, the
// heap or the forks of another, and so that one written in Python obeys the same commands: lines of
// JSON over two pipes, one answer for each command, nothing running in between.
//
//   {"command": "open", "num_samples": n, "batch_size": n, "num_workers": n, "prefetch_factor": n}
//   ->  {}
//   {"command": "check"}                            ->  {"labels": [...], "sums": [...]}
//   {"command": "round"}                            ->  {"seconds": x}
//   {"command": "quit"}                             ->  the process ends
//
// An answer may also be {"error": text}. The first line comes unasked: {"version": text}, or
// {"left_out": reason}.

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "throughput/channel_process.hpp"
#include "throughput/contender.hpp"

namespace bench {

/// A loader in a process of its own, as the measuring process sees it.
/// Errors of all operations: std::runtime_error, with the loader's own message where it sent one.
class RivalProcess {
 public:
  /// Runs `make()` and obeys commands in a forked child. This process must not have other threads.
  [[nodiscard]] static RivalProcess fork_one(const std::function<Contender()>& make);
  /// Runs `script` in an interpreter; `variant` is its only argument.
  [[nodiscard]] static RivalProcess run_python(const std::filesystem::path& python,
                                               const std::filesystem::path& script,
                                               const std::string& variant);

  RivalProcess(RivalProcess&&) noexcept = default;
  RivalProcess& operator=(RivalProcess&&) = delete;
  RivalProcess(const RivalProcess&) = delete;
  RivalProcess& operator=(const RivalProcess&) = delete;
  /// Asks the process to end; ChannelProcess sees to it.
  ~RivalProcess();

  void open(const OpenArguments& arguments);
  [[nodiscard]] Observed check();
  /// Seconds that one epoch took.
  [[nodiscard]] double round();

  /// Empty, or why the loader cannot take part.
  [[nodiscard]] const std::string& left_out() const noexcept { return left_out_; }
  /// What the loader says it is.
  [[nodiscard]] const std::string& version() const noexcept { return version_; }

 private:
  explicit RivalProcess(ChannelProcess process) : process_(std::move(process)) {}
  void greet();
  nlohmann::json ask(const nlohmann::json& message);

  ChannelProcess process_;
  std::string left_out_;
  std::string version_;
};

}  // namespace bench
