// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace forklift::test_support {

/// A process below this one.
struct Descendant {
  pid_t pid = 0;
  char state = '?';  ///< 'Z' is a zombie
  std::string name;
};

/// What a process holds at one moment, with names, so that a leak can be told by name.
struct Holdings {
  std::map<int, std::string> fds;        ///< number and what it is open on
  std::vector<std::string> threads;      ///< names
  std::vector<std::string> shared_maps;  ///< lines of /proc/self/maps that are shared and writable
  std::size_t num_maps = 0;              ///< all lines of /proc/self/maps
  std::vector<std::string> shm_files;    ///< names in /dev/shm
  std::vector<Descendant> descendants;   ///< children, theirs, and so on
};

/// Reads all of it from /proc. Thread: the other threads should be quiet.
[[nodiscard]] Holdings count_holdings();

/// All processes below `top`, any depth, zombies included.
[[nodiscard]] std::vector<Descendant> descendants_of(pid_t top);

/// Open descriptors of this process.
[[nodiscard]] std::size_t count_fds();

}  // namespace forklift::test_support
