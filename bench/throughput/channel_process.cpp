// SPDX-License-Identifier: MIT
#include "throughput/channel_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace bench {
namespace {

constexpr int kGraceTries = 200;
constexpr int kGraceTryMs = 10;

[[noreturn]] void exec_python(std::vector<std::string> words,
                              const OwnedFd& in,
                              const OwnedFd& out) {
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  if (dup2(in.get(), STDIN_FILENO) >= 0 && dup2(out.get(), STDOUT_FILENO) >= 0) {
    execvp(arguments.front(), arguments.data());
  }
  _exit(127);  // told by the missing first line
}

}  // namespace

ChannelProcess ChannelProcess::fork_one(const std::function<void(OwnedFd in, OwnedFd out)>& run) {
  Pipe commands = make_pipe();
  Pipe answers = make_pipe();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // the parent may be killed; then nobody closes the channel
    if (getppid() == parent) {
      commands.write_end.reset();
      answers.read_end.reset();
      run(std::move(commands.read_end), std::move(answers.write_end));
      _exit(0);
    }
    _exit(1);
  }
  return {pid, Channel(std::move(answers.read_end), std::move(commands.write_end))};
}

ChannelProcess ChannelProcess::run_python(const std::filesystem::path& python,
                                          const std::filesystem::path& script,
                                          const std::vector<std::string>& arguments) {
  std::vector<std::string> words{python.string(), script.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return fork_one([&](const OwnedFd& in, const OwnedFd& out) { exec_python(words, in, out); });
}

ChannelProcess::ChannelProcess(ChannelProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      channel_(std::move(other.channel_)) {}

ChannelProcess::~ChannelProcess() {
  if (pid_ < 0) {
    return;
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

}  // namespace bench
