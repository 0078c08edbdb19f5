// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <forklift/detail/rank_share.hpp>
#include <forklift/detail/taken.hpp>

namespace forklift::detail {

/// The passes of one of several processes that share a list, which seed and epoch decide.
///
/// Elastic: all processes of a job have taken equally many indices of a pass, so that what they
/// have taken together is the front of the list. What is behind it is shared anew by the processes
/// that go on, with the rule of RankShare; all passes after it are whole.
class SharedPasses {
 public:
  /// One pass of one process.
  struct Pass {
    RankPositions positions;
    std::optional<std::uint64_t> seed;  ///< seed + epoch
  };

  SharedPasses(const RankShare& share, std::optional<std::uint64_t> seed) noexcept
      : share_(share),
        seed_(seed) {}

  /// Begins the next pass: the rest of the one whose state was loaded, or a whole one.
  [[nodiscard]] Pass begin() noexcept;
  [[nodiscard]] std::size_t length() const noexcept { return share_.length(); }
  /// Indices in a whole pass of one process.
  [[nodiscard]] std::size_t size() const noexcept { return share_.size(); }
  /// The epoch of the passes that begin from now on.
  void set_epoch(std::size_t epoch) noexcept;
  /// All of it as text, and where the next pass begins.
  [[nodiscard]] std::string state_dict() const;
  /// Takes the epoch; the next pass is a whole one. Errors: StateError that names both values for
  /// another seed, length or num_replicas, and for what is no such state.
  void load_state_dict(const std::string& state);
  /// Takes the epoch; the next pass is the rest of the one of which so much was taken. Errors:
  /// StateError that names both values for another seed or length, with gaps also for another
  /// num_replicas or rank; for more than there is to take, and for what is no such state.
  void load_state_dict(const std::string& state, const Taken& taken);

 private:
  RankShare share_;
  std::optional<std::uint64_t> seed_;
  std::size_t epoch_ = 0;
  PassRest rest_;  // of the next pass
};

}  // namespace forklift::detail
