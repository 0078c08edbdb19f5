// SPDX-License-Identifier: MIT
#include "throughput/machine.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

namespace bench {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

/// "always [madvise] never": the word in brackets.
std::string transparent_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string line;
  std::getline(file, line);
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']');
  return open == std::string::npos || close == std::string::npos
             ? "unknown"
             : line.substr(open + 1, close - open - 1);
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "unknown";
}

std::int64_t memory_bytes() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

nlohmann::ordered_json machine_json() {
  return {{"cpu", cpu_name()},
          {"cores", usable_cores()},
          {"memory_bytes", memory_bytes()},
          {"kernel", kernel()},
          {"transparent_huge_pages", transparent_huge_pages()},
          {"compiler", __VERSION__}};
}

std::string machine_text(const nlohmann::ordered_json& machine) {
  return fmt::format("{}, {} cores, {:.1f} GiB, {}, huge pages {}, compiler {}",
                     machine.at("cpu").get<std::string>(),
                     machine.at("cores").get<int>(),
                     machine.at("memory_bytes").get<double>() / (1U << 30U),
                     machine.at("kernel").get<std::string>(),
                     machine.at("transparent_huge_pages").get<std::string>(),
                     machine.at("compiler").get<std::string>());
}

std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    if (std::size_t kilobytes = 0; word == "MemAvailable:" && file >> kilobytes) {
      return kilobytes * 1024;
    }
  }
  return 0;
}

}  // namespace bench
