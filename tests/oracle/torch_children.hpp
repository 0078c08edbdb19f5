// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "oracle/combination.hpp"
#include "throughput/channel_process.hpp"

#include <nlohmann/json.hpp>

namespace oracle {

/// Interpreters that run combinations in PyTorch: number k is asked for k modulo their count, and
/// a few are asked in advance, so that they work while Forklift's half runs.
/// Errors of all operations: std::runtime_error where a child ends, or is silent for too long.
class TorchChildren {
 public:
  TorchChildren(const std::filesystem::path& python, std::size_t count);

  [[nodiscard]] const std::string& version() const noexcept { return version_; }
  /// Names what outcomes will be asked for, in order. `combinations` stays valid.
  void ask(std::span<const Combination> combinations);
  /// The outcome of the next one.
  [[nodiscard]] nlohmann::json next();

 private:
  void send_ahead();

  std::vector<bench::ChannelProcess> children_;
  std::string version_;
  std::span<const Combination> asked_;
  std::size_t num_sent_ = 0;
  std::size_t num_answered_ = 0;
};

}  // namespace oracle
