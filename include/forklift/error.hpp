// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <forklift/worker_kind.hpp>

namespace forklift {

/// Root of every error that Forklift throws. what() is one paragraph: what, where, numbers, knob.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option value, or a mix of options, that is not allowed: thrown while a loader, a sampler or a
/// composition of datasets is made. Also an index that such a composition does not have.
class InvalidOptions : public Error {
 public:
  using Error::Error;
};

/// A tensor used with the wrong dtype, dimension, shape or device.
class TensorError : public Error {
 public:
  using Error::Error;
};

/// The loader is not in a state that allows the call, or a saved state does not fit it.
class StateError : public Error {
 public:
  using Error::Error;
};

/// A wait took longer than the `timeout` option. The wait may be taken up again.
class TimeoutError : public Error {
 public:
  using Error::Error;
};

/// An operating system call failed.
class SystemError : public Error {
 public:
  /// `operation` is the call, `object` what it was applied to, `code` the errno.
  SystemError(std::string operation, std::string object, int code);

  [[nodiscard]] const std::string& operation() const noexcept { return operation_; }
  [[nodiscard]] const std::string& object() const noexcept { return object_; }
  [[nodiscard]] int code() const noexcept { return code_; }

 protected:
  SystemError(const std::string& text, std::string operation, std::string object, int code);

 private:
  std::string operation_;
  std::string object_;
  int code_;
};

/// Something needs more of a limited resource than there is.
/// Units: needed() and available() count what `what()` names, bytes unless it says otherwise.
class ResourceError : public SystemError {
 public:
  /// `object` names what did not fit, `knob` the option or limit to change. `code` is an errno,
  /// ENOMEM by default.
  ResourceError(std::string object,
                std::uint64_t needed,
                std::uint64_t available,
                std::string knob);
  ResourceError(std::string operation,
                std::string object,
                int code,
                std::uint64_t needed,
                std::uint64_t available,
                std::string knob);

  [[nodiscard]] std::uint64_t needed() const noexcept { return needed_; }
  [[nodiscard]] std::uint64_t available() const noexcept { return available_; }
  [[nodiscard]] const std::string& knob() const noexcept { return knob_; }

 private:
  std::uint64_t needed_;
  std::uint64_t available_;
  std::string knob_;
};

/// Data that is not what its format promises. A missing file is a SystemError instead.
class DataError : public Error {
 public:
  DataError(std::string file, std::uint64_t offset, std::string expected, std::string found);

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// Offset in bytes, in the uncompressed stream.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] const std::string& expected() const noexcept { return expected_; }
  [[nodiscard]] const std::string& found() const noexcept { return found_; }

 private:
  std::string file_;
  std::uint64_t offset_;
  std::string expected_;
  std::string found_;
};

/// An exception out of the user's dataset, transform, collate_fn or worker_init_fn, at its batch's
/// place in the order. With 0 workers, and with threads, the original exception is nested
/// (std::rethrow_if_nested).
class WorkerError : public Error {
 public:
  /// Where and why one batch failed.
  struct Record {
    std::string type;     ///< demangled name of the original exception's type
    std::string message;  ///< the original what(), whole
    std::string stage;    ///< "worker_init_fn" or "open" when a worker could not start, else empty
    std::size_t worker_id = 0;
    std::size_t batch_index = 0;
    std::size_t epoch = 0;
    std::optional<std::size_t> dataset_index;  ///< the sample in progress; empty when no sample was
    std::optional<std::size_t> position;       ///< its position in the batch
    std::optional<WorkerKind> kind = WorkerKind::process;  ///< of the worker; empty with 0 workers
  };
  explicit WorkerError(Record record);

  [[nodiscard]] const std::string& original_type() const noexcept { return record_.type; }
  [[nodiscard]] const std::string& original_message() const noexcept { return record_.message; }
  [[nodiscard]] std::size_t worker_id() const noexcept { return record_.worker_id; }
  [[nodiscard]] std::size_t batch_index() const noexcept { return record_.batch_index; }
  [[nodiscard]] std::size_t epoch() const noexcept { return record_.epoch; }
  [[nodiscard]] std::optional<std::size_t> dataset_index() const noexcept {
    return record_.dataset_index;
  }

 private:
  Record record_;
};

/// A worker ended before its work was done. Ends the iterator and its workers.
class WorkerDied : public Error {
 public:
  /// How one worker ended and what it was doing.
  struct Record {
    std::size_t worker_id = 0;
    WorkerKind kind = WorkerKind::process;
    pid_t pid = 0;                        ///< of this process for a thread
    int signal = 0;                       ///< 0 when it was not killed by a signal
    std::optional<int> exit_status;       ///< set when it left by itself
    std::vector<std::size_t> indices;     ///< dataset indices of the batch in progress; empty when
                                          ///< idle, and for an iterable dataset
    std::optional<std::size_t> sample;    ///< dataset index of the sample in progress
    std::optional<std::size_t> position;  ///< of an iterable dataset: its position in the batch
    std::optional<std::size_t> batch_index;
    std::string hint;  ///< a sentence on the likely cause, or empty
  };
  explicit WorkerDied(Record record);

  [[nodiscard]] pid_t pid() const noexcept { return record_.pid; }
  /// The signal that killed the worker; 0 when it left by itself.
  [[nodiscard]] int signal() const noexcept { return record_.signal; }
  [[nodiscard]] std::optional<int> exit_status() const noexcept { return record_.exit_status; }
  [[nodiscard]] std::size_t worker_id() const noexcept { return record_.worker_id; }
  /// The dataset indices of the batch in progress, valid as long as the error; empty when the
  /// worker was idle.
  [[nodiscard]] std::span<const std::size_t> dataset_indices() const noexcept {
    return record_.indices;
  }
  /// The dataset index of the sample in progress, when there was one.
  [[nodiscard]] std::optional<std::size_t> dataset_index() const noexcept { return record_.sample; }

 private:
  Record record_;
};

}  // namespace forklift
