// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace forklift::engine {

/// Kinds of warnings; a loader gives each once.
enum class Warning : std::uint8_t {
  kManyWorkers,
  kWorkerKilled,
  kLength,
  kFastForward,
  kCount,
};

/// One loader's warnings: to its on_warning callback, or as a line on stderr. Nothing else of a
/// loader writes to a stream of the process. Thread: one at a time.
class Diagnostics {
 public:
  using Callback = std::function<void(std::string_view)>;

  explicit Diagnostics(Callback callback) : callback_(std::move(callback)) {}

  /// Errors: what the callback throws.
  void warn(Warning kind, std::string_view text);

 private:
  Callback callback_;
  std::bitset<static_cast<std::size_t>(Warning::kCount)> given_;
};

}  // namespace forklift::engine
