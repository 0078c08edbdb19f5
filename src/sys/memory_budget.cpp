// SPDX-License-Identifier: MIT
#include "sys/memory_budget.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace forklift::sys {
namespace {

constinit std::atomic<std::uint64_t> promised_bytes{0};

// The files in which a version of the memory controller says how much is used and allowed.
struct Controller {
  std::string_view file_system;            // in mountinfo
  std::array<std::string_view, 2> limits;  // the lower one counts
  std::string_view usage;
  std::string_view droppable;  // line of memory.stat, children included
};

// memory.high does not kill, it stalls; pages of a ring cannot be dropped, so it stalls for good.
constexpr Controller kV2{
    "cgroup2", {"memory.max", "memory.high"}, "memory.current", "inactive_file"};
constexpr Controller kV1{
    "cgroup", {"memory.limit_in_bytes", ""}, "memory.usage_in_bytes", "total_inactive_file"};

std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) {
    return std::nullopt;  // "max", or a file of another shape.
  }
  return value;
}

std::optional<std::uint64_t> read_number(const std::string& file) {
  std::ifstream stream(file);
  std::string word;
  return stream >> word ? parse_number(word) : std::nullopt;
}

// The number after `name` in a file of lines "name number ...".
std::optional<std::uint64_t> read_entry(const std::string& file, std::string_view name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string key;
    std::string value;
    if (words >> key >> value && key == name) {
      return parse_number(value);
    }
  }
  return std::nullopt;
}

bool has_word(std::string_view list, std::string_view word) noexcept {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == word) {
      return true;
    }
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

// Mount points have blanks and the like as \ooo.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 1] + 3, value, 8).ec == std::errc{}) {
      plain += static_cast<char>(value);
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// The path of our cgroup in /proc/self/cgroup: lines "number:controllers:path".
std::optional<std::string> own_path(const std::string& root, const Controller& controller) {
  std::ifstream stream(root + "/proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string_view controllers =
        std::string_view(line).substr(first + 1, second - first - 1);
    const bool is_it = &controller == &kV2 ? controllers.empty() && line.starts_with("0:")
                                           : has_word(controllers, "memory");
    if (is_it) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

struct Mount {
  std::string top;    // the cgroup that is mounted
  std::string point;  // where
};

// mountinfo: "id parent device top point options [tags ...] - type source super-options".
std::optional<Mount> find_mount(const std::string& root, const Controller& controller) {
  std::ifstream stream(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) {
      continue;
    }
    std::istringstream before(line.substr(0, dash));
    std::istringstream after(line.substr(dash + 3));
    std::string skipped;
    std::string top;
    std::string point;
    std::string type;
    std::string options;
    before >> skipped >> skipped >> skipped >> top >> point;
    after >> type >> skipped >> options;
    if (type == controller.file_system && (&controller == &kV2 || has_word(options, "memory"))) {
      return Mount{.top = without_escapes(top), .point = without_escapes(point)};
    }
  }
  return std::nullopt;
}

// Our cgroup's path below the mount: "" for the mounted one itself. In a container the mount may
// show only our own cgroup while /proc/self/cgroup has the path as the host sees it, or the other
// way round a path that leads out of what is mounted.
std::string below_mount(const std::string& path, const Mount& mount) {
  std::string below = path;
  if (mount.top != "/") {
    const bool is_inside = path.starts_with(mount.top) &&
                           (path.size() == mount.top.size() || path[mount.top.size()] == '/');
    below = is_inside ? path.substr(mount.top.size()) : "";
  }
  return below == "/" || below.starts_with("/..") ? "" : below;
}

void lower_to(AvailableMemory& least, std::uint64_t bytes, const std::string& limited_by) {
  if (bytes < least.bytes) {
    least = {.bytes = bytes, .limited_by = limited_by};
  }
}

void apply_folder(AvailableMemory& least,
                  const Controller& controller,
                  const std::string& root,
                  const std::string& folder) {
  const std::string prefix = root + folder + "/";
  for (const std::string_view name : controller.limits) {
    const auto limit = name.empty() ? std::nullopt : read_number(prefix + std::string(name));
    if (!limit.has_value()) {
      continue;
    }
    const std::uint64_t used = read_number(prefix + std::string(controller.usage)).value_or(0);
    const std::uint64_t droppable =
        read_entry(prefix + "memory.stat", controller.droppable).value_or(0);
    const std::uint64_t kept = used > droppable ? used - droppable : 0;
    lower_to(least, *limit > kept ? *limit - kept : 0, folder + "/" + std::string(name));
  }
}

// Every limit on the way from our cgroup to the top of the mount binds us.
void apply_cgroups(AvailableMemory& least, const Controller& controller, const std::string& root) {
  const auto path = own_path(root, controller);
  const auto mount = find_mount(root, controller);
  if (!path.has_value() || !mount.has_value()) {
    return;
  }
  std::string below = below_mount(*path, *mount);
  while (!below.empty()) {
    apply_folder(least, controller, root, mount->point + below);
    below.resize(below.rfind('/') == std::string::npos ? 0 : below.rfind('/'));
  }
  apply_folder(least, controller, root, mount->point);
}

AvailableMemory machine_memory(const std::string& root) {
  constexpr std::uint64_t kKibibyte = 1024;
  const std::string file = root + "/proc/meminfo";
  if (const auto kib = read_entry(file, "MemAvailable:"); kib.has_value()) {
    return {.bytes = *kib * kKibibyte, .limited_by = "MemAvailable of /proc/meminfo"};
  }
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_AVPHYS_PAGES));
  return {.bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)),
          .limited_by = "free memory of the machine"};
}

}  // namespace

AvailableMemory available_memory() {
  return available_memory({});
}

AvailableMemory available_memory(const std::string& root) {
  AvailableMemory least = machine_memory(root);
  apply_cgroups(least, kV2, root);
  apply_cgroups(least, kV1, root);
  return least;
}

Promise::Promise(std::uint64_t bytes) noexcept : bytes_(bytes) {
  promised_bytes.fetch_add(bytes);
}

Promise::~Promise() {
  promised_bytes.fetch_sub(bytes_);
}

std::uint64_t Promise::total() noexcept {
  return promised_bytes.load();
}

}  // namespace forklift::sys
