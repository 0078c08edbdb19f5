// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace oracle {

/// What one run of a loader is made of. Lists are texts with commas.
struct Combination {
  using Number = std::optional<std::int64_t>;  ///< none: not given

  // The dataset; its name is one of run_*.cpp.
  std::string dataset = "plain";
  std::int64_t size = 10;
  Number claims;     ///< the length that an iterable dataset says it has
  std::string fail;  ///< samples whose getter throws

  // Options of the loader.
  Number batch_size = 1;
  std::int64_t shuffle = 0;
  std::string sampler;        ///< a name of samplers.cpp
  std::string batch_sampler;  ///< a name of samplers.cpp
  std::int64_t workers = 0;
  std::int64_t drop_last = 0;
  std::int64_t timeout = 0;
  std::string init;            ///< "throws": what worker_init_fn does
  std::int64_t generator = 0;  ///< whether the loader is given one
  Number prefetch;
  std::int64_t persistent = 0;
  std::int64_t in_order = 1;

  // Options of the sampler.
  Number samples;
  std::int64_t replacement = 0;
  std::string sampler_generator = "none";  ///< or "own", or "shared" with the loader
  std::string weights = "good";            ///< or what the last one is
  std::int64_t ranks = 2;
  std::int64_t rank = 0;
  std::int64_t rank_shuffle = 0;
  std::int64_t rank_drop = 0;

  // How it is used.
  std::int64_t seed = 1;
  std::string length = "last";  ///< when the loader is asked for its length: "first" or "last"
  std::int64_t set_epoch = 0;
  std::string take = "all";  ///< the items that are taken in each epoch
};

/// Hands each field to `visit(name, field)`.
template <class C, class Visit>
void for_each_field(C& c, Visit&& visit) {
  visit("dataset", c.dataset);
  visit("size", c.size);
  visit("claims", c.claims);
  visit("fail", c.fail);
  visit("batch_size", c.batch_size);
  visit("shuffle", c.shuffle);
  visit("sampler", c.sampler);
  visit("batch_sampler", c.batch_sampler);
  visit("workers", c.workers);
  visit("drop_last", c.drop_last);
  visit("timeout", c.timeout);
  visit("init", c.init);
  visit("generator", c.generator);
  visit("prefetch", c.prefetch);
  visit("persistent", c.persistent);
  visit("in_order", c.in_order);
  visit("samples", c.samples);
  visit("replacement", c.replacement);
  visit("sampler_generator", c.sampler_generator);
  visit("weights", c.weights);
  visit("ranks", c.ranks);
  visit("rank", c.rank);
  visit("rank_shuffle", c.rank_shuffle);
  visit("rank_drop", c.rank_drop);
  visit("seed", c.seed);
  visit("length", c.length);
  visit("set_epoch", c.set_epoch);
  visit("take", c.take);
}

/// `name=value ...` of the fields that differ from the default.
[[nodiscard]] std::string to_line(const Combination& combination);
/// Errors: std::invalid_argument for a word that is no field with a value.
[[nodiscard]] Combination from_line(std::string_view line);
/// All fields.
[[nodiscard]] nlohmann::json to_json(const Combination& combination);

/// The parts of a text with commas.
[[nodiscard]] std::vector<std::string> parts_of(std::string_view list);

/// Items to take of a pass, by a part of `take`: a number, or "all", which is a number too, so that
/// a loader that never ends does not hang the comparison.
[[nodiscard]] std::size_t most_items(const std::string& take);

}  // namespace oracle
