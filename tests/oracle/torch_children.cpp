// SPDX-License-Identifier: MIT
#include "oracle/torch_children.hpp"

#include <chrono>
#include <stdexcept>

#include "oracle/deviations.hpp"

namespace oracle {
namespace {

// A cold start of PyTorch on a busy machine; all else is much faster.
constexpr std::chrono::seconds kPatience{120};
// Few enough for a pipe to take them all, so that neither side waits for the other to read.
constexpr std::size_t kAhead = 16;

}  // namespace

TorchChildren::TorchChildren(const std::filesystem::path& python, std::size_t count) {
  for (std::size_t child = 0; child < count; ++child) {
    children_.push_back(
        bench::ChannelProcess::run_python(python, std::filesystem::path(FORKLIFT_ORACLE_SCRIPT)));
  }
  for (bench::ChannelProcess& child : children_) {
    version_ = child.channel().receive(kPatience).at("version").get<std::string>();
  }
}

void TorchChildren::ask(std::span<const Combination> combinations) {
  asked_ = combinations;
  num_sent_ = num_answered_ = 0;
  send_ahead();
}

nlohmann::json TorchChildren::next() {
  auto answer = children_[num_answered_ % children_.size()].channel().receive(kPatience);
  ++num_answered_;
  send_ahead();
  return answer;
}

void TorchChildren::send_ahead() {
  for (; num_sent_ < asked_.size() && num_sent_ < num_answered_ + kAhead; ++num_sent_) {
    children_[num_sent_ % children_.size()].channel().send(to_json(for_torch(asked_[num_sent_])));
  }
}

}  // namespace oracle
