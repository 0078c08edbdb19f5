// SPDX-License-Identifier: MIT
#include "support/leak_counter.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unordered_map>

namespace forklift::test_support {
namespace {

namespace fs = std::filesystem;

struct Process {
  pid_t parent = 0;
  Descendant entry;
};

// /proc/PID/stat: "pid (name) state parent ..."; the name may hold blanks and brackets.
bool read_process(const fs::path& folder, Process& process) {
  std::ifstream stream(folder / "stat");
  std::string line;
  if (!std::getline(stream, line)) {
    return false;
  }
  const std::size_t open = line.find('(');
  const std::size_t close = line.rfind(')');
  if (open == std::string::npos || close == std::string::npos) {
    return false;
  }
  std::istringstream before(line.substr(0, open));
  std::istringstream after(line.substr(close + 1));
  process.entry.name = line.substr(open + 1, close - open - 1);
  return static_cast<bool>(before >> process.entry.pid) &&
         static_cast<bool>(after >> process.entry.state >> process.parent);
}

std::vector<Process> all_processes() {
  std::vector<Process> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    Process process;
    if (std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
        read_process(entry.path(), process)) {
      found.push_back(process);
    }
  }
  return found;
}

// The names in a folder; entries that vanish meanwhile are left out.
std::vector<std::string> names_in(const char* folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::map<int, std::string> open_fds() {
  std::map<int, std::string> fds;
  for (const std::string& name : names_in("/proc/self/fd")) {
    std::error_code error;
    const fs::path target = fs::read_symlink("/proc/self/fd/" + name, error);
    if (!error) {  // Fails for the descriptor of the listing itself.
      fds[std::stoi(name)] = target;
    }
  }
  return fds;
}

std::vector<std::string> thread_names() {
  std::vector<std::string> names;
  for (const std::string& id : names_in("/proc/self/task")) {
    std::ifstream stream("/proc/self/task/" + id + "/comm");
    std::string name;
    if (std::getline(stream, name)) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::vector<Descendant> descendants_of(pid_t top) {
  const std::vector<Process> processes = all_processes();
  std::unordered_map<pid_t, pid_t> parents;
  for (const Process& process : processes) {
    parents[process.entry.pid] = process.parent;
  }
  std::vector<Descendant> below;
  for (const Process& process : processes) {
    pid_t ancestor = process.parent;
    while (ancestor > 1 && ancestor != top) {
      const auto found = parents.find(ancestor);
      ancestor = found == parents.end() ? 0 : found->second;
    }
    if (ancestor == top) {
      below.push_back(process.entry);
    }
  }
  return below;
}

std::size_t count_fds() {
  return open_fds().size();
}

Holdings count_holdings() {
  Holdings holdings{.fds = open_fds(),
                    .threads = thread_names(),
                    .shared_maps = {},
                    .num_maps = 0,
                    .shm_files = names_in("/dev/shm"),
                    .descendants = descendants_of(::getpid())};
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    ++holdings.num_maps;
    if (line.find(" rw-s ") != std::string::npos) {
      holdings.shared_maps.push_back(line);
    }
  }
  return holdings;
}

}  // namespace forklift::test_support
