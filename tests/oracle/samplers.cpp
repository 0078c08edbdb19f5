// SPDX-License-Identifier: MIT
#include "oracle/samplers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <forklift/forklift.hpp>

namespace oracle {
namespace {

using forklift::AnyBatchSampler;
using forklift::AnySampler;
using Indices = std::vector<std::size_t>;

/// Gives the elements of a list and does not tell how many there are.
template <class Element>
class WithoutLength {
 public:
  class Cursor {
   public:
    explicit Cursor(std::vector<Element> list) : list_(std::move(list)) {}
    std::optional<Element> next() {
      return next_ < list_.size() ? std::optional(list_[next_++]) : std::nullopt;
    }

   private:
    std::vector<Element> list_;
    std::size_t next_ = 0;
  };

  explicit WithoutLength(std::vector<Element> list) : list_(std::move(list)) {}
  [[nodiscard]] Cursor iterate() const { return Cursor(list_); }

 private:
  std::vector<Element> list_;
};

/// 0..size-1, but an exception in the place of 5.
class Throwing {
 public:
  class Cursor {
   public:
    explicit Cursor(std::size_t size) : size_(size) {}
    std::optional<std::size_t> next() {
      if (next_ < size_ && next_ == 5) {
        throw std::domain_error("bad sampler");
      }
      return next_ < size_ ? std::optional(next_++) : std::nullopt;
    }

   private:
    std::size_t size_;
    std::size_t next_ = 0;
  };

  explicit Throwing(std::size_t size) : size_(size) {}
  [[nodiscard]] Cursor iterate() const { return Cursor(size_); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
};

std::vector<double> weights_of(const Combination& c) {
  const std::map<std::string, double> last{{"negative", -1},
                                           {"infinite", std::numeric_limits<double>::infinity()},
                                           {"nan", std::numeric_limits<double>::quiet_NaN()}};
  std::vector<double> weights;
  for (std::int64_t index = 0; index < c.size; ++index) {
    weights.push_back(static_cast<double>(index * 7 % 5) + (c.replacement != 0 ? 0 : 0.5));
  }
  if (c.weights == "zero") {
    std::ranges::fill(weights, 0);
  } else if (!weights.empty() && c.weights != "good") {
    weights.back() = last.at(c.weights);
  }
  return weights;
}

/// Each third index, round and round.
Indices thirds(std::int64_t size, std::int64_t count) {
  Indices indices;
  for (std::int64_t index = 0; index < count; ++index) {
    indices.push_back(static_cast<std::size_t>(index * 3 % size));
  }
  return indices;
}

Indices odd(std::int64_t size) {
  Indices indices;
  for (std::int64_t index = 1; index < size; index += 2) {
    indices.push_back(static_cast<std::size_t>(index));
  }
  return indices;
}

/// Lists of one to four indices.
std::vector<Indices> lists_of(std::int64_t size) {
  std::vector<Indices> lists;
  for (std::int64_t first = 0; first < size; first += 3) {
    auto& list = lists.emplace_back();
    for (std::int64_t index = first; index < std::min(first + first % 4 + 1, size); ++index) {
      list.push_back(static_cast<std::size_t>(index));
    }
  }
  return lists;
}

forklift::RandomSampler random_of(const Combination& c, const Seeded& seeded) {
  forklift::RandomSamplerOptions options{.replacement = c.replacement != 0,
                                         .generator = seeded.sampler};
  if (c.samples.has_value()) {
    options.num_samples = *c.samples;
  }
  return forklift::RandomSampler(c.size, options);
}

AnySampler distributed_of(const Combination& c) {
  return forklift::DistributedSampler(c.size,
                                      {.num_replicas = c.ranks,
                                       .rank = c.rank,
                                       .shuffle = c.rank_shuffle != 0,
                                       .seed = static_cast<std::uint64_t>(c.seed),
                                       .drop_last = c.rank_drop != 0});
}

}  // namespace

AnySampler make_sampler(const Combination& c, const Seeded& seeded) {
  if (c.sampler == "sequential") {
    return forklift::SequentialSampler(c.size);
  }
  if (c.sampler == "random") {
    return random_of(c, seeded);
  }
  if (c.sampler == "subset") {
    return forklift::SubsetRandomSampler(odd(c.size), {.generator = seeded.sampler});
  }
  if (c.sampler == "weighted") {
    return forklift::WeightedRandomSampler(
        weights_of(c),
        c.samples.value(),
        {.replacement = c.replacement != 0, .generator = seeded.sampler});
  }
  if (c.sampler == "distributed") {
    return distributed_of(c);
  }
  if (c.sampler == "list") {
    return thirds(c.size, c.size / 2);
  }
  if (c.sampler == "without_length") {
    return WithoutLength(thirds(c.size, c.size));
  }
  if (c.sampler == "throws") {
    return Throwing(static_cast<std::size_t>(c.size));
  }
  if (!c.sampler.empty()) {
    throw std::out_of_range("there is no sampler '" + c.sampler + "'");
  }
  return {};
}

AnyBatchSampler make_batch_sampler(const Combination& c, const Seeded& seeded) {
  if (c.batch_sampler == "lists") {
    return lists_of(c.size);
  }
  if (c.batch_sampler == "without_length") {
    return WithoutLength(lists_of(c.size));
  }
  if (c.batch_sampler == "empty_list") {
    auto lists = lists_of(c.size);
    lists.insert(lists.begin() + std::min<std::ptrdiff_t>(2, std::ssize(lists)), Indices());
    return lists;
  }
  if (c.batch_sampler == "random") {
    return forklift::BatchSampler(random_of(c, seeded), 3, false);
  }
  if (c.batch_sampler == "dropping") {
    return forklift::BatchSampler(forklift::SequentialSampler(c.size), 4, true);
  }
  if (!c.batch_sampler.empty()) {
    throw std::out_of_range("there is no batch sampler '" + c.batch_sampler + "'");
  }
  return {};
}

}  // namespace oracle
