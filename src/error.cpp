// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <forklift/error.hpp>

namespace forklift {
namespace {

std::string errno_text(int code) {
  const char* name = strerrorname_np(code);
  return fmt::format("{} ({})",
                     name != nullptr ? name : "errno " + std::to_string(code),
                     strerrordesc_np(code) != nullptr ? strerrordesc_np(code) : "unknown error");
}

std::string system_text(const std::string& operation, const std::string& object, int code) {
  return fmt::format("{}({}) failed: {}", operation, object, errno_text(code));
}

std::string worker_place(const WorkerError::Record& record) {
  std::string text = record.kind.has_value()
                         ? fmt::format("in DataLoader worker {} {}",
                                       *record.kind == WorkerKind::process ? "process" : "thread",
                                       record.worker_id)
                         : std::string("in the loading thread");
  if (!record.stage.empty()) {
    text = fmt::format("in {} {}", record.stage, text);
  }
  text += fmt::format(", batch {} of epoch {}", record.batch_index, record.epoch);
  if (record.dataset_index.has_value()) {
    text += fmt::format(", dataset index {}", *record.dataset_index);
  }
  if (record.position.has_value()) {
    text += fmt::format(" (position {} in the batch)", *record.position);
  }
  return text;
}

std::string how_it_ended(const WorkerDied::Record& record) {
  if (record.signal != 0) {
    const char* name = sigabbrev_np(record.signal);
    const char* words = sigdescr_np(record.signal);
    return fmt::format("was killed by signal {} (SIG{}, {})",
                       record.signal,
                       name != nullptr ? name : "?",
                       words != nullptr ? words : "unknown");
  }
  if (record.exit_status.has_value()) {
    return fmt::format("exited unexpectedly with status {}", *record.exit_status);
  }
  return record.kind == WorkerKind::process
             ? "exited unexpectedly; its status was taken by another part of the program"
             : "ended unexpectedly";
}

std::string what_it_did(const WorkerDied::Record& record) {
  if (record.indices.empty() && !record.batch_index.has_value()) {
    return " while it was idle";
  }
  std::string text;
  if (record.batch_index.has_value()) {
    text += fmt::format(" before finishing batch {}", *record.batch_index);
  }
  if (record.position.has_value()) {
    text += fmt::format("; it was in sample {} of it", *record.position);
  }
  if (record.indices.empty()) {
    return text;
  }
  constexpr std::size_t kShown = 16;
  const auto shown = std::span(record.indices).first(std::min(kShown, record.indices.size()));
  text += fmt::format(", dataset indices {}{}",
                      fmt::join(shown, " "),
                      record.indices.size() > kShown
                          ? fmt::format(" and {} more", record.indices.size() - kShown)
                          : "");
  if (record.sample.has_value()) {
    text += fmt::format("; it was in the sample of dataset index {}", *record.sample);
  }
  return text;
}

}  // namespace

// Copies: arguments are evaluated in any order, so that a move could come before the text is made.
SystemError::SystemError(std::string operation, std::string object, int code)
    : SystemError(system_text(operation, object, code), operation, object, code) {}

SystemError::SystemError(const std::string& text,
                         std::string operation,
                         std::string object,
                         int code)
    : Error(text),
      operation_(std::move(operation)),
      object_(std::move(object)),
      code_(code) {}

ResourceError::ResourceError(std::string object,
                             std::uint64_t needed,
                             std::uint64_t available,
                             std::string knob)
    : ResourceError({}, std::move(object), ENOMEM, needed, available, std::move(knob)) {}

ResourceError::ResourceError(std::string operation,
                             std::string object,
                             int code,
                             std::uint64_t needed,
                             std::uint64_t available,
                             std::string knob)
    : SystemError(
          fmt::format(
              "{} needs {} but only {} are available; change {}{}",
              object,
              needed,
              available,
              knob,
              operation.empty() ? "" : fmt::format(" ({}: {})", operation, errno_text(code))),
          operation,
          object,
          code),
      needed_(needed),
      available_(available),
      knob_(std::move(knob)) {}

DataError::DataError(std::string file,
                     std::uint64_t offset,
                     std::string expected,
                     std::string found)
    : Error(fmt::format("'{}' at byte {}: expected {}, found {}", file, offset, expected, found)),
      file_(std::move(file)),
      offset_(offset),
      expected_(std::move(expected)),
      found_(std::move(found)) {}

WorkerError::WorkerError(Record record)
    : Error(fmt::format(
          "Caught {} {}. Original message: {}", record.type, worker_place(record), record.message)),
      record_(std::move(record)) {}

WorkerDied::WorkerDied(Record record)
    : Error(fmt::format("DataLoader worker {} ({}) {}{}.{}{}",
                        record.worker_id,
                        record.kind == WorkerKind::process ? fmt::format("pid {}", record.pid)
                                                           : std::string("a thread"),
                        how_it_ended(record),
                        what_it_did(record),
                        record.hint.empty() ? "" : " ",
                        record.hint)),
      record_(std::move(record)) {}

}  // namespace forklift
