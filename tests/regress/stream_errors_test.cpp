// SPDX-License-Identifier: MIT
// Errors of streams: which batch they stand for, and those of state().
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/numbers.hpp"
#include "support/sharded.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Sharded;

class StreamErrors : public test_support::LeavesNothing {};

// Of each error of a pass: the number of the place where it came, `before` the first one, and the
// number that it names.
struct Found {
  std::vector<std::size_t> places;
  std::vector<std::size_t> named;
  std::size_t batches = 0;
};

template <class Loader>
Found find_errors(Loader& loader, std::size_t before) {
  Found found;
  std::size_t place = before;
  for (auto batch = loader.begin();; ++batch, ++place) {
    try {
      if (batch == loader.end()) {
        return found;
      }
      ++found.batches;
    } catch (const WorkerError& error) {
      found.places.push_back(place);
      found.named.push_back(error.batch_index());
    }
  }
}

TEST_F(StreamErrors, name_the_batch_in_whose_place_they_stand) {
  const Sharded dataset({1, 5, 4}, Sharded::throws_at_two);
  const DataLoaderOptions by_three = {.num_workers = 3};
  StateDict state;
  {
    DataLoader loader(dataset, by_three);
    auto batch = loader.begin();
    ++ ++batch;
    static_cast<void>(*batch);
    state = loader.state_dict();
  }
  for (const auto& mode : test_support::all_loading_modes()) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options;
    mode.apply(options);
    DataLoader rest(dataset, options);
    rest.load_state_dict(state);
    const Found behind = find_errors(rest, 3);
    EXPECT_EQ(behind.places, (std::vector<std::size_t>{5, 6}));
    EXPECT_EQ(behind.named, behind.places);
    if (mode.num_workers == 3) {
      DataLoader whole(dataset, options);
      const Found all = find_errors(whole, 0);
      EXPECT_EQ(all.places, (std::vector<std::size_t>{5, 6}));
      EXPECT_EQ(all.named, all.places);
    }
  }
}

// A stream that cannot say where it stands behind its second value.
struct HasNoState {
  struct Stream {
    std::int64_t at = 0;
    std::optional<std::int64_t> next() { return at < 4 ? std::optional(at++) : std::nullopt; }
    [[nodiscard]] std::string state() const {
      if (at == 2) {
        throw std::domain_error("no state here");
      }
      return std::to_string(at);
    }
    void restore(const std::string& state) { at = std::stoll(state); }
  };
  [[nodiscard]] static Stream iterate(const WorkerInfo& /*info*/) { return {}; }
};

TEST_F(StreamErrors, of_a_state_stand_for_their_batch) {
  for (const auto& mode : test_support::all_loading_modes()) {
    SCOPED_TRACE(mode.text());
    if (mode.num_workers > 1) {
      continue;  // each would read the whole stream
    }
    DataLoaderOptions options;
    mode.apply(options);
    DataLoader loader(HasNoState(), options);
    const Found found = find_errors(loader, 0);
    EXPECT_EQ(found.places, (std::vector<std::size_t>{1}));
    EXPECT_EQ(found.batches, 3U);
  }
}

}  // namespace
}  // namespace forklift
