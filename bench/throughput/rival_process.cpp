// SPDX-License-Identifier: MIT
#include "throughput/rival_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>

#include "throughput/serve.hpp"

namespace bench {
namespace {

// Far above what any command takes; a loader that hangs must not hang the measurement.
constexpr std::chrono::milliseconds kAnswerLimit{180'000};
constexpr int kGraceTries = 200;
constexpr int kGraceTryMs = 10;

/// Empty when there is no such member.
std::string text_of(const nlohmann::json& message, const char* name) {
  const auto found = message.find(name);
  return found == message.end() || !found->is_string() ? std::string()
                                                       : found->get_ref<const std::string&>();
}

void throw_if_error(const nlohmann::json& answer) {
  if (answer.contains("error")) {
    throw std::runtime_error(text_of(answer, "error"));
  }
}

/// Forks; in the child calls `run`, which gets the child's channel ends and does not return.
std::pair<pid_t, Channel> fork_with_channel(
    const std::function<void(OwnedFd in, OwnedFd out)>& run) {
  Pipe commands = make_pipe();
  Pipe answers = make_pipe();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // the measuring process may be killed; then nobody says quit
    if (getppid() == parent) {
      commands.write_end.reset();
      answers.read_end.reset();
      run(std::move(commands.read_end), std::move(answers.write_end));
    }
    _exit(1);
  }
  return {pid, Channel(std::move(answers.read_end), std::move(commands.write_end))};
}

[[noreturn]] void exec_python(const std::filesystem::path& python,
                              const std::filesystem::path& script,
                              const std::string& variant,
                              const OwnedFd& in,
                              const OwnedFd& out) {
  std::string program = python.string();
  std::string file = script.string();
  std::string word = variant;
  std::array<char*, 4> arguments{program.data(), file.data(), word.data(), nullptr};
  if (dup2(in.get(), STDIN_FILENO) >= 0 && dup2(out.get(), STDOUT_FILENO) >= 0) {
    execvp(program.c_str(), arguments.data());
  }
  _exit(127);  // told by the missing first line
}

}  // namespace

RivalProcess RivalProcess::fork_one(const std::function<Contender()>& make) {
  auto [pid, channel] = fork_with_channel([&make](OwnedFd in, OwnedFd out) {
    serve(make, Channel(std::move(in), std::move(out)));
    _exit(0);
  });
  RivalProcess rival(pid, std::move(channel));
  rival.greet();
  return rival;
}

RivalProcess RivalProcess::run_python(const std::filesystem::path& python,
                                      const std::filesystem::path& script,
                                      const std::string& variant) {
  auto [pid, channel] = fork_with_channel(
      [&](OwnedFd in, OwnedFd out) { exec_python(python, script, variant, in, out); });
  RivalProcess rival(pid, std::move(channel));
  try {
    rival.greet();
  } catch (const std::runtime_error& error) {
    rival.left_out_ = "cannot run " + python.string() + ": " + error.what();
  }
  return rival;
}

RivalProcess::RivalProcess(RivalProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      channel_(std::move(other.channel_)),
      left_out_(std::move(other.left_out_)),
      version_(std::move(other.version_)) {}

RivalProcess::~RivalProcess() {
  if (pid_ < 0) {
    return;
  }
  try {
    channel_.send({{"command", "quit"}});
  } catch (const std::exception&) {
    // It ended by itself, which is what was asked for.
  }
  channel_.close();
  for (int attempt = 0; attempt < kGraceTries; ++attempt) {
    if (waitpid(pid_, nullptr, WNOHANG) != 0) {
      return;
    }
    poll(nullptr, 0, kGraceTryMs);
  }
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void RivalProcess::greet() {
  const nlohmann::json first = channel_.receive(kAnswerLimit);
  left_out_ = text_of(first, "left_out");
  version_ = text_of(first, "version");
  throw_if_error(first);
}

nlohmann::json RivalProcess::ask(const nlohmann::json& message) {
  channel_.send(message);
  nlohmann::json answer = channel_.receive(kAnswerLimit);
  throw_if_error(answer);
  return answer;
}

void RivalProcess::open(const OpenArguments& arguments) {
  ask({{"command", "open"},
       {"num_samples", arguments.num_samples},
       {"batch_size", arguments.batch_size},
       {"num_workers", arguments.num_workers},
       {"prefetch_factor", arguments.prefetch_factor}});
}

Observed RivalProcess::check() {
  const nlohmann::json answer = ask({{"command", "check"}});
  return {answer.at("labels").get<std::vector<std::int64_t>>(),
          answer.at("sums").get<std::vector<double>>()};
}

double RivalProcess::round() {
  return ask({{"command", "round"}}).at("seconds").get<double>();
}

}  // namespace bench
