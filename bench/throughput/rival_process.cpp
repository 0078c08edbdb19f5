// SPDX-License-Identifier: MIT
#include "throughput/rival_process.hpp"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

#include "throughput/serve.hpp"

namespace bench {
namespace {

// Far above what any command takes; a loader that hangs must not hang the measurement.
constexpr std::chrono::milliseconds kAnswerLimit{180'000};

/// Empty when there is no such member.
std::string text_of(const nlohmann::json& message, const char* name) {
  const auto found = message.find(name);
  return found == message.end() || !found->is_string() ? std::string()
                                                       : found->get_ref<const std::string&>();
}

void throw_if_error(const nlohmann::json& answer) {
  if (answer.contains("error")) {
    throw std::runtime_error(text_of(answer, "error"));
  }
}

}  // namespace

RivalProcess RivalProcess::fork_one(const std::function<Contender()>& make) {
  RivalProcess rival(ChannelProcess::fork_one(
      [&make](OwnedFd in, OwnedFd out) { serve(make, Channel(std::move(in), std::move(out))); }));
  rival.greet();
  return rival;
}

RivalProcess RivalProcess::run_python(const std::filesystem::path& python,
                                      const std::filesystem::path& script,
                                      const std::string& variant) {
  RivalProcess rival(ChannelProcess::run_python(python, script, {variant}));
  try {
    rival.greet();
  } catch (const std::runtime_error& error) {
    rival.left_out_ = "cannot run " + python.string() + ": " + error.what();
  }
  return rival;
}

RivalProcess::~RivalProcess() {
  try {
    process_.channel().send({{"command", "quit"}});
  } catch (const std::exception&) {
    // It ended by itself, which is what was asked for, or this was moved from.
  }
}

void RivalProcess::greet() {
  const nlohmann::json first = process_.channel().receive(kAnswerLimit);
  left_out_ = text_of(first, "left_out");
  version_ = text_of(first, "version");
  throw_if_error(first);
}

nlohmann::json RivalProcess::ask(const nlohmann::json& message) {
  process_.channel().send(message);
  nlohmann::json answer = process_.channel().receive(kAnswerLimit);
  throw_if_error(answer);
  return answer;
}

void RivalProcess::open(const OpenArguments& arguments) {
  ask({{"command", "open"},
       {"num_samples", arguments.num_samples},
       {"batch_size", arguments.batch_size},
       {"num_workers", arguments.num_workers},
       {"prefetch_factor", arguments.prefetch_factor}});
}

Observed RivalProcess::check() {
  const nlohmann::json answer = ask({{"command", "check"}});
  return {answer.at("labels").get<std::vector<std::int64_t>>(),
          answer.at("sums").get<std::vector<double>>()};
}

double RivalProcess::round() {
  return ask({{"command", "round"}}).at("seconds").get<double>();
}

}  // namespace bench
