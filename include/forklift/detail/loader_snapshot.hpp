// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace forklift::detail {

/// A generator's state, as Generator::get_state() gives it.
using GeneratorBlob = std::vector<std::uint8_t>;

/// How far a pass is: what the user has taken, not what was asked for in advance.
struct PassSnapshot {
  std::uint64_t epoch = 0;
  std::uint64_t batches = 0;  ///< all below this number were taken, but for those missing
  std::uint64_t samples = 0;  ///< indices of those taken
  /// Batches that others overtook, ascending; only out of order, and at most a window.
  std::vector<std::uint64_t> missing;
  /// What had been taken, with none missing, when batches were first cut as they are now.
  std::uint64_t batches_before = 0;
  std::uint64_t samples_before = 0;
  /// Iterable dataset: batches taken from each stream; one for each worker of the loader that began
  /// the pass.
  std::vector<std::uint64_t> by_stream;
  /// Iterable dataset: the state of each stream behind its last batch that was taken.
  std::vector<std::optional<std::string>> streams;
  std::uint64_t last_stream = 0;  ///< Iterable dataset: the one whose batch was taken last

  friend bool operator==(const PassSnapshot&, const PassSnapshot&) = default;
};

/// What a loader needs to go on where another one stopped.
struct LoaderSnapshot {
  /// What must be the same in the loader that goes on.
  bool is_iterable = false;
  std::optional<std::uint64_t> dataset_size;  ///< of a map-style dataset
  std::string sampler;                        ///< type of the sampler or batch sampler
  std::optional<std::uint64_t> seed;          ///< initial seed of the loader's generator
  /// The stream of samples goes on with another batch size too.
  std::optional<std::uint64_t> batch_size;

  std::uint64_t next_epoch = 0;
  /// What set_epoch() told the sampler: before the pass, and since then.
  std::optional<std::uint64_t> told_epoch;
  std::optional<std::uint64_t> told_later;
  std::optional<std::uint64_t> sample_seed;  ///< of SampleRng
  /// Of workers; where it is missing the next pass draws it.
  std::optional<std::uint64_t> base_seed;
  std::optional<PassSnapshot> pass;  ///< missing between passes
  /// As they were when the sampler's pass began, or between passes as they are.
  std::optional<GeneratorBlob> generator;  ///< of the loader
  std::optional<GeneratorBlob> source;     ///< what a sampler without a generator draws from
  std::string sampler_state;               ///< what the sampler's state_dict() gave

  friend bool operator==(const LoaderSnapshot&, const LoaderSnapshot&) = default;
};

}  // namespace forklift::detail
