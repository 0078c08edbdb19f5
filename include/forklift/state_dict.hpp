// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <forklift/detail/loader_snapshot.hpp>

namespace forklift {

/// Where a loader stands, for another one to go on from: see DataLoader::state_dict().
///
/// A default-made one stands before the first pass. As JSON it is a page of text, whatever the
/// dataset: nothing in it grows with the number of samples.
/// Source: torchdata's StatefulDataLoader, whose contents differ.
class StateDict {
 public:
  StateDict() = default;
  explicit StateDict(detail::LoaderSnapshot snapshot) : snapshot_(std::move(snapshot)) {}

  /// One line of JSON. Keys and their meaning are those of detail/loader_snapshot.hpp; `version` is
  /// the version of this format.
  [[nodiscard]] std::string to_json() const;
  /// Errors: StateError that names the place: what is no JSON or cut short, nested or with
  /// duplicate keys, of another version, a key that is missing or unknown, a value of another type
  /// or out of its range. Nothing in the text is trusted.
  [[nodiscard]] static StateDict from_json(std::string_view text);

  [[nodiscard]] const detail::LoaderSnapshot& snapshot() const noexcept { return snapshot_; }

  friend bool operator==(const StateDict&, const StateDict&) = default;

 private:
  detail::LoaderSnapshot snapshot_;
};

}  // namespace forklift
