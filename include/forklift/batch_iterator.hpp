// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <forklift/detail/batch_reader.hpp>
#include <forklift/detail/engine_handle.hpp>
#include <forklift/detail/unpack.hpp>
#include <forklift/error.hpp>

namespace forklift {

/// One pass over a loader, as an input iterator. Copies share the pass.
///
/// Lazy: a batch is fetched by the first comparison or dereference after begin() or ++, and its
/// error is thrown there. Comparing again throws the same error until ++, which itself never throws
/// and goes on to the next batch. A TimeoutError is not kept: the next comparison waits again, and
/// ++ after it skips nothing.
///
/// Owner:  keeps the pass and, unless they are persistent, its workers alive; does not point at the
/// loader, which may be
///         moved or destroyed. The batch is valid until ++; move or copy it out to keep it longer.
/// Thread: one at a time, all copies taken together.
/// Errors: WorkerError, ResourceError, WorkerDied, TimeoutError, StateError, DataError; what the
/// sampler throws.
template <class Batch>
class BatchIterator {
 public:
  using value_type = Batch;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;

  BatchIterator() = default;  ///< at the end of no pass; may be compared, not advanced
  explicit BatchIterator(std::shared_ptr<detail::Pass> pass)
      : state_(std::make_shared<State>(std::move(pass))) {}

  [[nodiscard]] Batch& operator*() const {
    if (!state_->fetch()) {
      throw StateError("the iterator stands at the end of its pass: there is no batch to read");
    }
    return *state_->current;
  }
  [[nodiscard]] Batch* operator->() const { return &**this; }
  BatchIterator& operator++() noexcept {
    state_->advance();
    return *this;
  }
  void operator++(int) noexcept { state_->advance(); }
  [[nodiscard]] friend bool operator==(const BatchIterator& iterator,
                                       std::default_sentinel_t /*end*/) {
    return iterator.state_ == nullptr || !iterator.state_->fetch();
  }

 private:
  struct State {
    explicit State(std::shared_ptr<detail::Pass> the_pass) : pass(std::move(the_pass)) {}

    /// True when `current` holds the batch that the iterator stands at; false at the end.
    bool fetch() {
      if (current.has_value()) {
        return true;
      }
      if (error != nullptr) {
        std::rethrow_exception(error);
      }
      while (pass != nullptr) {
        if (!take()) {
          pass.reset();  // at the end: nothing of the pass is needed any more
        } else if (skip == 0) {
          return true;
        } else {
          current.reset();
          --skip;
        }
      }
      return false;
    }

    void advance() noexcept {
      if (error != nullptr || current.has_value()) {
        error = nullptr;
        current.reset();  // gives the slot back before the next batch is waited for
      } else if (!std::exchange(timed_out, false)) {
        ++skip;
      }
    }

    bool take() {
      while (true) {
        try {
          detail::RawBatch raw;
          // Nothing is written before the pass has seen that no other thread is in it.
          const bool found = pass->next(raw);
          timed_out = false;
          if (!found) {
            return false;
          }
          detail::BatchReader reader(std::move(raw));
          current.emplace(detail::unpack<Batch>(reader));
          reader.expect_end();
          return true;
        } catch (const detail::SamplerError& failed) {
          timed_out = false;
          error = failed.cause;
          std::rethrow_exception(error);
        } catch (const TimeoutError&) {
          timed_out = true;
          throw;
        } catch (const StateError&) {
          throw;  // says how the iterator is used, not what became of a batch
        } catch (...) {
          timed_out = false;
          current.reset();
          error = std::current_exception();
          // None is the forced unwind of pthread_exit, which must go on.
          if (error == nullptr || skip == 0 || !is_of_one_batch(error)) {
            throw;
          }
          error = nullptr;
          --skip;  // the error of a batch that is passed over
        }
      }
    }

    // Whether the exception concerns one batch only. Any other, such as a death, is the end of the
    // pass and must not be passed over unseen.
    static bool is_of_one_batch(const std::exception_ptr& exception) {
      try {
        std::rethrow_exception(exception);
      } catch (const WorkerError&) {
        return true;
      } catch (const ResourceError&) {
        return true;
      } catch (const DataError&) {
        return true;
      } catch (...) {
        return false;
      }
    }

    std::shared_ptr<detail::Pass> pass;
    std::optional<Batch> current;
    std::exception_ptr error;
    std::size_t skip = 0;  // batches passed over by ++ before they were fetched
    bool timed_out = false;
  };

  std::shared_ptr<State> state_;
};

}  // namespace forklift
