// SPDX-License-Identifier: MIT
#include "support/process_guard.hpp"

#include <dlfcn.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>

namespace forklift::test_support {
namespace {

using Names = std::vector<std::string>;

// What is in `after` more often than in `before`.
void add_new_names(Names before, Names after, const std::string& what, Names& left) {
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  Names added;
  std::set_difference(
      after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(added));
  for (const std::string& name : added) {
    left.push_back(what);
    left.back().append(" ").append(name);
  }
}

Names pids_of(const std::vector<Descendant>& processes) {
  Names names;
  for (const Descendant& process : processes) {
    names.push_back(std::to_string(process.pid));
  }
  return names;
}

void add_new_processes(const Holdings& before, const Holdings& after, Names& left) {
  const Names old = pids_of(before.descendants);
  for (const Descendant& process : after.descendants) {
    const std::string pid = std::to_string(process.pid);
    if (std::find(old.begin(), old.end(), pid) == old.end()) {
      left.push_back("process " + pid + " (" + process.name + ", state " + process.state + ")");
    }
  }
}

// Sanitizers map memory of their own as they go. Found with any compiler, and without asking it by
// macros.
std::size_t map_tolerance() {
  const bool has_sanitizer = ::dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
                             ::dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr;
  return (has_sanitizer ? 4 : 1) * ProcessGuard::kMapTolerance;
}

}  // namespace

void pause_a_little() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

ProcessGuard::ProcessGuard() {
  static_cast<void>(::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_));
  static_cast<void>(::prctl(PR_SET_CHILD_SUBREAPER, 1));
  // The first thread of a program may bring one of a sanitizer's own that stays.
  std::thread([] {}).join();
  before_ = count_holdings();
}

ProcessGuard::~ProcessGuard() {
  static_cast<void>(::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_));
}

std::vector<std::string> ProcessGuard::leftovers() const {
  const Holdings after = count_holdings();
  Names left;
  add_new_processes(before_, after, left);
  for (const auto& [fd, target] : after.fds) {
    const auto old = before_.fds.find(fd);
    if (old == before_.fds.end() || old->second != target) {
      left.push_back("descriptor " + std::to_string(fd) + " on " + target);
    }
  }
  add_new_names(before_.threads, after.threads, "thread", left);
  add_new_names(before_.shared_maps, after.shared_maps, "shared mapping", left);
  add_new_names(before_.shm_files, after.shm_files, "file in /dev/shm", left);
  if (after.num_maps > before_.num_maps + map_tolerance()) {
    left.push_back("mappings: " + std::to_string(after.num_maps - before_.num_maps) + " more");
  }
  return left;
}

void ProcessGuard::expect_clean() const {
  if (eventually([this] { return leftovers().empty(); }, 2)) {
    return;
  }
  for (const std::string& left : leftovers()) {
    ADD_FAILURE() << "left behind: " << left;
  }
}

}  // namespace forklift::test_support
