// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include <forklift/detail/loader_snapshot.hpp>
#include <forklift/detail/resolved_options.hpp>

namespace forklift::engine {

/// What a snapshot and a loader must agree on, from the loader's side. `dataset_size` is empty for
/// an iterable dataset.
[[nodiscard]] detail::LoaderSnapshot describe(const detail::ResolvedOptions& options,
                                              std::optional<std::uint64_t> dataset_size);

/// Whether what was taken of a stream has to be read again to go on.
[[nodiscard]] bool reads_again(const detail::PassSnapshot& pass);

/// Errors: StateError that names both values where a loader with `options` cannot go on from
/// `snapshot`.
void check_fits(const detail::LoaderSnapshot& snapshot,
                const detail::ResolvedOptions& options,
                std::optional<std::uint64_t> dataset_size);

/// Errors: StateError if a process would have to read two streams of `snapshot`.
void check_one_stream_each(const detail::LoaderSnapshot& snapshot,
                           const detail::ResolvedOptions& options);

/// Sets the loader's generator and its sampler to where they were.
/// Errors: StateError, InvalidOptions for states that are none.
void restore_streams(const detail::LoaderSnapshot& snapshot,
                     const detail::ResolvedOptions& options);

}  // namespace forklift::engine
