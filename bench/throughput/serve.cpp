// SPDX-License-Identifier: MIT
#include "throughput/serve.hpp"

#include <exception>
#include <optional>

namespace bench {
namespace {

// Commands come whenever the measuring process has a turn for this loader.
constexpr std::chrono::hours kPatience{24};

OpenArguments open_arguments(const nlohmann::json& message) {
  return {message.at("num_samples").get<std::size_t>(),
          message.at("batch_size").get<std::size_t>(),
          message.at("num_workers").get<std::size_t>(),
          message.at("prefetch_factor").get<std::size_t>()};
}

nlohmann::json obey(const Contender& contender, const nlohmann::json& message) {
  const auto command = message.at("command").get<std::string>();
  if (command == "open") {
    contender.open(open_arguments(message));
    return nlohmann::json::object();
  }
  if (command == "check") {
    const Observed seen = contender.check();
    return {{"labels", seen.labels}, {"sums", seen.sums}};
  }
  if (command == "round") {
    return {{"seconds", contender.round()}};
  }
  return {{"error", "no such command: " + command}};
}

nlohmann::json answer_to(const Contender& contender, const nlohmann::json& message) {
  try {
    return obey(contender, message);
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

/// Makes the contender and tells how that went. Errors: std::runtime_error when nobody listens.
std::optional<Contender> introduce(const std::function<Contender()>& make, Channel& channel) {
  std::optional<Contender> contender;
  nlohmann::json first{{"version", ""}};
  try {
    contender = make();
  } catch (const std::exception& error) {
    first = {{"error", error.what()}};
  }
  channel.send(first);
  return contender;
}

void answer_until_quit(const Contender& contender, Channel& channel) {
  for (;;) {
    const nlohmann::json message = channel.receive(kPatience);
    if (message.at("command") == "quit") {
      return;
    }
    channel.send(answer_to(contender, message));
  }
}

}  // namespace

void serve(const std::function<Contender()>& make, Channel channel) noexcept {
  try {
    if (const auto contender = introduce(make, channel)) {
      answer_until_quit(*contender, channel);
    }
  } catch (const std::exception&) {
    // The measuring process is gone: nobody is left to be told.
  }
}

}  // namespace bench
