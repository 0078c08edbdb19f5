// SPDX-License-Identifier: MIT
#include "ipc/error_record.hpp"

#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include <forklift/detail/type_name.hpp>
#include <forklift/error.hpp>

namespace forklift::ipc {
namespace {

constexpr std::string_view kCut = " ... [cut: the message is longer than its slot]";
// Nested exceptions deeper than this are left out; a cycle cannot hang a worker.
constexpr int kDeepest = 16;

// Of the exception being handled.
std::string current_type() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) {
    return "unknown type";
  }
  return detail::type_name(*type);
}

std::string safe_what(const std::exception& error) {
  try {
    const char* text = error.what();
    return text != nullptr ? text : "(what() is null)";
  } catch (...) {
    return "(what() itself threw)";
  }
}

// Messages of the exceptions nested in `error`.
std::string nested_text(const std::exception& error, int depth) {
  const auto* nested = dynamic_cast<const std::nested_exception*>(&error);
  if (nested == nullptr || nested->nested_ptr() == nullptr || depth > kDeepest) {
    return {};
  }
  try {
    nested->rethrow_nested();
  } catch (const std::exception& inner) {
    return "; caused by " + current_type() + ": " + safe_what(inner) +
           nested_text(inner, depth + 1);
  } catch (...) {
    return "; caused by " + current_type();
  }
}

// Cursor over bytes that never leaves them.
class Out {
 public:
  explicit Out(std::span<std::byte> room) : room_(room) {}

  void number(std::uint64_t value) noexcept { bytes(&value, sizeof(value)); }
  void text(std::string_view value, std::size_t most) noexcept {
    value = value.substr(0, most);
    number(value.size());
    bytes(value.data(), value.size());
  }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] std::size_t left() const noexcept { return room_.size() - used_; }

 private:
  void bytes(const void* from, std::size_t count) noexcept {
    if (count != 0 && count <= left()) {
      std::memcpy(room_.data() + used_, from, count);
      used_ += count;
    }
  }

  std::span<std::byte> room_;
  std::size_t used_ = 0;
};

class In {
 public:
  explicit In(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t number() noexcept {
    std::uint64_t value = 0;
    if (sizeof(value) > bytes_.size() - used_) {
      bad_ = true;
      return 0;
    }
    std::memcpy(&value, bytes_.data() + used_, sizeof(value));
    used_ += sizeof(value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (size > bytes_.size() - used_) {
      bad_ = true;
      return {};
    }
    std::string value(reinterpret_cast<const char*>(bytes_.data() + used_),
                      static_cast<std::size_t>(size));
    used_ += static_cast<std::size_t>(size);
    return value;
  }
  [[nodiscard]] bool is_good() const noexcept { return !bad_ && used_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t used_ = 0;
  bool bad_ = false;
};

}  // namespace

ErrorRecord describe(const std::exception_ptr& error) {
  ErrorRecord record;
  try {
    std::rethrow_exception(error);
  } catch (const ResourceError& caught) {
    record.type = current_type();
    record.message = safe_what(caught);
    record.is_resource_error = true;
    record.object = caught.object();
    record.knob = caught.knob();
    record.needed = caught.needed();
    record.available = caught.available();
  } catch (const std::exception& caught) {
    record.type = current_type();
    record.message = safe_what(caught) + nested_text(caught, 0);
  } catch (...) {
    record.type = current_type();
    record.message = "(not a std::exception)";
  }
  return record;
}

std::size_t write_record(const ErrorRecord& record, std::span<std::byte> room) noexcept {
  constexpr std::size_t kShort = 1024;  // for what is not the message
  Out out(room);
  out.number(record.is_resource_error ? 1 : 0);
  out.number(record.position.has_value() ? 1 : 0);
  out.number(record.position.value_or(0));
  out.number(record.needed);
  out.number(record.available);
  for (const std::string* text : {&record.type, &record.stage, &record.object, &record.knob}) {
    out.text(*text, kShort);
  }
  // Message and mark, each behind its length.
  const std::size_t most = out.left() > 2 * sizeof(std::uint64_t) + kCut.size()
                               ? out.left() - 2 * sizeof(std::uint64_t) - kCut.size()
                               : 0;
  out.text(record.message, most);
  out.text(record.message.size() > most ? kCut : std::string_view(), kCut.size());
  return out.used();
}

std::optional<ErrorRecord> read_record(std::span<const std::byte> bytes) {
  In in(bytes);
  ErrorRecord record;
  record.is_resource_error = in.number() != 0;
  const bool has_position = in.number() != 0;
  const std::uint64_t position = in.number();
  record.position = has_position ? std::optional(position) : std::nullopt;
  record.needed = in.number();
  record.available = in.number();
  for (std::string* text : {&record.type, &record.stage, &record.object, &record.knob}) {
    *text = in.text();
  }
  record.message = in.text();
  record.message += in.text();
  return in.is_good() ? std::optional(std::move(record)) : std::nullopt;
}

}  // namespace forklift::ipc
