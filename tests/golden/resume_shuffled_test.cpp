// SPDX-License-Identifier: MIT
// Loaders that stop in a shuffled pass. torchdata's permutations are drawn otherwise than
// PyTorch's, which are Forklift's (semantics 8.5), so that its orders are handed to a sampler here:
// what follows a stop is the same then. Semantics 8.3, 8.4, 8.5 and 10.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;
using test_support::joined;
using test_support::numbers;
using test_support::take;
using test_support::Values;

// The orders that were recorded, one for each pass. Its state is the number of the next one.
class Orders {
 public:
  explicit Orders(std::vector<std::vector<std::size_t>> orders) : orders_(std::move(orders)) {}

  class Cursor {
   public:
    explicit Cursor(std::vector<std::size_t> order) : order_(std::move(order)) {}
    std::optional<std::size_t> next() {
      return next_ < order_.size() ? std::optional(order_[next_++]) : std::nullopt;
    }

   private:
    std::vector<std::size_t> order_;
    std::size_t next_ = 0;
  };
  Cursor iterate() { return Cursor(orders_.at(pass_++)); }
  [[nodiscard]] std::string state_dict() const { return std::to_string(pass_); }
  void load_state_dict(const std::string& state) { pass_ = std::stoul(state); }

 private:
  std::vector<std::vector<std::size_t>> orders_;
  std::size_t pass_ = 0;
};

Values flat(const json& batches) {
  Values values;
  for (const json& batch : batches) {
    values = joined(std::move(values), batch.get<Values>());
  }
  return values;
}

std::vector<std::size_t> indices(const Values& values) {
  return {values.begin(), values.end()};
}

// The entries with a shuffle, each under its own name.
template <class Check>
std::size_t for_each_shuffled(Check&& check) {
  std::size_t entries = 0;
  for (const json& entry : test::golden("stateful_resume_cases")) {
    if (entry.at("shuffle").is_null()) {
      continue;
    }
    SCOPED_TRACE(entry.at("shuffle").dump() + ", taken " + entry.at("taken").dump() + ", workers " +
                 entry.at("num_workers").dump());
    check(entry);
    ++entries;
  }
  return entries;
}

// Batches that are taken before the stop; more than there are to see the end, too.
std::size_t taken(const json& entry) {
  return entry.at("taken") == "end" ? SIZE_MAX : entry.at("before").size();
}

DataLoaderOptions options_of(const json& entry) {
  return {.batch_size = entry.at("batch_size").get<int>(),
          .num_workers = entry.at("num_workers").get<int>()};
}

TEST(GoldenResumeShuffled, goes_on_where_torchdata_does_in_torchdatas_order) {
  const std::size_t entries = for_each_shuffled([](const json& entry) {
    const Values before = flat(entry.at("before"));
    const Values rest = flat(entry.at("uninterrupted_rest"));
    const Values next = flat(entry.at("uninterrupted_next_epoch"));
    DataLoaderOptions options = options_of(entry);
    options.sampler = Orders({indices(joined(before, rest)), indices(next)});

    DataLoader saved(numbers(10), options);
    EXPECT_EQ(take(saved, taken(entry)), before);
    options.sampler = Orders({indices(joined(before, rest)), indices(next)});
    DataLoader loader(numbers(10), options);
    loader.load_state_dict(saved.state_dict());
    if (entry.at("taken") != "end") {
      EXPECT_EQ(take(loader), rest);
    }
    EXPECT_EQ(take(loader), next);
  });
  EXPECT_EQ(entries, 24U);
}

// A loader in Forklift's own order. The run that resumes has moved its generators, which are seeded
// by other numbers; a loader's own generator must be of the seed that it had.
DataLoader<test_support::Numbers> shuffled(const json& entry, bool resumes) {
  DataLoaderOptions options = options_of(entry);
  options.shuffle = true;
  manual_seed(entry.at(resumes ? "seed_of_resuming_run" : "seed").get<std::uint64_t>());
  if (entry.at("shuffle") == "explicit") {
    options.generator = Generator(entry.at("seed").get<std::uint64_t>());
    if (resumes) {
      options.generator->random63();
    }
  }
  return DataLoader<test_support::Numbers>(numbers(10), options);
}

// Two more passes.
std::pair<Values, Values> two_passes(DataLoader<test_support::Numbers>& loader) {
  Values first = take(loader);
  return {std::move(first), take(loader)};
}

// torchdata's resumed loader differs where resume_is_exact or next_epoch_is_exact says so. The
// default generator is the program's to restore.
TEST(GoldenResumeShuffled, is_exact_also_where_torchdata_is_not) {
  std::size_t inexact_there = 0;
  const std::size_t entries = for_each_shuffled([&](const json& entry) {
    auto whole = shuffled(entry, false);
    const Values first_pass = take(whole);
    const auto later_passes = two_passes(whole);

    auto saved = shuffled(entry, false);
    const Values before = take(saved, taken(entry));
    const StateDict state = saved.state_dict();
    const auto of_program = default_generator().get_state();
    auto loader = shuffled(entry, true);
    loader.load_state_dict(state);
    default_generator().set_state(of_program);
    if (entry.at("taken") != "end") {
      EXPECT_EQ(joined(before, take(loader)), first_pass);
    }
    EXPECT_EQ(two_passes(loader), later_passes);
    inexact_there +=
        entry.at("resume_is_exact") == false || entry.at("next_epoch_is_exact") == false;
  });
  EXPECT_EQ(entries, 24U);
  EXPECT_EQ(inexact_there, 4U);
}

// The plain loader's order for the same seed and workers; that of one worker is that of two.
std::string plain_entry(const json& entry) {
  return std::string("shuffle_") + (entry.at("generator") == "explicit" ? "gen" : "default") +
         "_seed0_n10_bs3_nw" + (entry.at("num_workers") == 0 ? "0" : "2") + "_pw" +
         (entry.at("persistent") == true ? "1" : "0");
}

TEST(GoldenResumeShuffled, keeps_the_plain_order_and_not_torchdatas) {
  std::size_t compared = 0;
  for (const json& entry : test::golden("stateful_order_cases")) {
    SCOPED_TRACE(entry.dump());
    ASSERT_EQ(entry.at("seed"), 0);
    ASSERT_EQ(entry.at("n"), 10);
    DataLoaderOptions options{.batch_size = entry.at("batch_size").get<int>(),
                              .shuffle = true,
                              .num_workers = entry.at("num_workers").get<int>(),
                              .persistent_workers = entry.at("persistent").get<bool>()};
    if (entry.at("generator") == "explicit") {
      options.generator = Generator(0);
    } else {
      manual_seed(0);
    }
    DataLoader loader(numbers(10), options);
    std::vector<Values> orders;
    for (int epoch = 0; epoch < 3; ++epoch) {
      const Values begun = take(loader, 2);
      loader.load_state_dict(loader.state_dict());
      orders.push_back(joined(begun, take(loader)));
    }
    EXPECT_EQ(orders, test::golden(plain_entry(entry)).get<std::vector<Values>>());
    EXPECT_NE(orders, entry.at("epochs").get<std::vector<Values>>());
    ++compared;
  }
  EXPECT_EQ(compared, 8U);
}

}  // namespace
}  // namespace forklift
