// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <forklift/detail/index_source.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/sampler_model.hpp>
#include <forklift/detail/taken.hpp>
#include <forklift/sampler.hpp>

namespace forklift {

/// A sampler of any type. Made from a Sampler it holds a copy of it; copies of the AnySampler share
/// that one object. A default-made one is empty: it converts to false, and only that may be asked
/// of it. Thread: one at a time, all copies taken together.
class AnySampler {
 public:
  AnySampler() = default;
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, AnySampler> && Sampler<std::decay_t<S>>)
      // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
      AnySampler(S&& sampler)  // a value made to convert
      : model_(
            std::make_shared<detail::SamplerModelOf<std::decay_t<S>>>(std::forward<S>(sampler))) {}

  explicit operator bool() const noexcept { return model_ != nullptr; }

  /// Starts a pass. The cursor keeps the sampler alive. `source` is what a sampler without a
  /// generator draws from.
  [[nodiscard]] std::unique_ptr<detail::IndexCursor> iterate(
      const detail::RandomSource& source = {}) const {
    return model_->iterate(model_, source);
  }
  /// Indices in one pass, if the sampler knows.
  [[nodiscard]] std::optional<std::size_t> size() const { return model_->size(); }
  /// Hands `epoch` to the sampler if it has set_epoch().
  void set_epoch(std::size_t epoch) const { model_->set_epoch(epoch); }
  /// What the sampler's state_dict() gives; empty if it has none. Called before a pass begins.
  [[nodiscard]] std::string state_dict() const { return model_->state_dict(); }
  /// Hands `state` to the sampler's load_state_dict() if it has one. The next pass goes as the one
  /// did before which the state was taken.
  void load_state_dict(const std::string& state) const { model_->load_state_dict(state, {}); }
  /// The same by a loader that has `taken` so much of the pass, and will pass over it by skip():
  /// for samplers that share their indices with other processes.
  void load_state_dict(const std::string& state, const detail::Taken& taken) const {
    model_->load_state_dict(state, taken);
  }
  /// The sampler's type, for messages and to compare.
  [[nodiscard]] std::string type() const { return model_->type(); }
  /// True if no index comes twice in a pass. Always false for samplers that are not the library's.
  [[nodiscard]] bool indices_are_unique() const { return model_->indices_are_unique(); }

 private:
  std::shared_ptr<detail::SamplerModel> model_;
};

}  // namespace forklift
