// SPDX-License-Identifier: MIT
#include "latency/processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace bench {

std::vector<pid_t> child_processes() {
  std::vector<pid_t> out;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) {
      out.push_back(child);
    }
  }
  return out;
}

std::int64_t cpu_time_ns(pid_t pid) {
  clockid_t clock{};
  if (const int code = clock_getcpuclockid(pid, &clock); code != 0) {
    throw std::system_error(code, std::generic_category(), "clock_getcpuclockid");
  }
  timespec used{};
  if (clock_gettime(clock, &used) != 0) {
    throw std::system_error(errno, std::generic_category(), "clock_gettime");
  }
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

std::size_t proportional_set_size(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/smaps_rollup", pid));
  for (std::string word; file >> word;) {
    if (std::size_t kilobytes = 0; word == "Pss:" && file >> kilobytes) {
      return kilobytes * 1024;
    }
  }
  throw std::runtime_error(fmt::format("/proc/{}/smaps_rollup has no Pss", pid));
}

}  // namespace bench
