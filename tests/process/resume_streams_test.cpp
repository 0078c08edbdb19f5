// SPDX-License-Identifier: MIT
// state_dict() and load_state_dict() of loaders of iterable datasets. Semantics 8.2.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/resumable.hpp"
#include "support/resume.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::joined;
using test_support::Resumable;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::take;
using test_support::take_with_errors;
using test_support::Values;

class ResumeStreams : public test_support::LeavesNothing {};

TEST_F(ResumeStreams, of_a_stream_reads_it_again_and_warns) {
  for (const int num_workers : {0, 1, 2}) {
    const Sharded dataset({11, 6});
    DataLoaderOptions options{
        .batch_size = 2, .num_workers = num_workers, .on_warning = [](std::string_view) {}};
    DataLoader whole(dataset, options);
    const Values expected = take(whole);
    for (std::size_t stop = 1; stop <= 6; ++stop) {
      DataLoader saved(dataset, options);
      const Values taken = take(saved, stop);
      std::string warning;
      options.on_warning = [&](std::string_view text) { warning = text; };
      DataLoader loader(dataset, options);
      loader.load_state_dict(StateDict::from_json(saved.state_dict().to_json()));
      EXPECT_EQ(joined(taken, take(loader)), expected)
          << num_workers << " workers, stopped at " << stop;
      EXPECT_NE(warning.find("read again from their beginning"), std::string::npos) << warning;
      EXPECT_EQ(take(loader), expected);
    }
  }
}

TEST_F(ResumeStreams, of_a_stream_with_a_state_reads_nothing_again) {
  for (const int num_workers : {0, 1, 2, 3}) {
    for (const bool in_order : {true, false}) {
      const SharedCount reads;
      const Resumable dataset({9, 2, 14}, reads);
      std::vector<std::string> warnings;
      const DataLoaderOptions options{
          .batch_size = 2,
          .num_workers = num_workers,
          .in_order = in_order,
          .on_warning = [&](std::string_view text) { warnings.emplace_back(text); }};
      DataLoader whole(dataset, options);
      Values expected = take_with_errors(whole);
      const int all_reads = reads.value();
      const auto most = static_cast<int>(expected.size() / 2);
      for (int stop = 0; stop < most; ++stop) {
        DataLoader saved(dataset, options);
        const Values taken = take_with_errors(saved, static_cast<std::size_t>(stop));
        const std::string state = saved.state_dict().to_json();
        warnings.clear();
        reads.value() = 0;
        DataLoader loader(dataset, options);
        loader.load_state_dict(StateDict::from_json(state));
        EXPECT_EQ(loader.state_dict().to_json(), state);
        Values all = joined(taken, take_with_errors(loader));
        EXPECT_LE(reads.value(), all_reads - static_cast<int>(taken.size()));
        if (!in_order) {
          std::ranges::sort(all);
          std::ranges::sort(expected);
        }
        EXPECT_EQ(all, expected) << num_workers << " workers, stopped at " << stop;
        EXPECT_TRUE(std::ranges::none_of(warnings, [](const std::string& text) {
          return text.find("read again") != std::string::npos;
        }));
      }
    }
  }
}

TEST_F(ResumeStreams, of_a_stream_with_a_state_that_is_mapped_reads_nothing_again) {
  const SharedCount reads;
  const auto make = [&] {
    return DataLoader(map(Resumable({3, 3}, reads), [](std::int64_t value) { return 2 * value; }),
                      {.num_workers = 2});
  };
  auto saved = make();
  EXPECT_EQ(take(saved, 4), (Values{0, 200, 2, 202}));
  const StateDict state = saved.state_dict();
  auto loader = make();
  loader.load_state_dict(state);
  reads.value() = 0;
  EXPECT_EQ(take(loader), (Values{4, 204}));
  EXPECT_EQ(reads.value(), 2);
}

TEST_F(ResumeStreams, of_a_stream_that_cannot_restore_its_state_is_its_first_error) {
  class Refuses {
   public:
    struct Stream {
      std::optional<std::int64_t> next() { return 1; }
      std::string state() const { return "here"; }
      void restore(const std::string& /*state*/) { throw std::runtime_error("not from here"); }
    };
    Stream iterate(const WorkerInfo& /*worker*/) const { return {}; }
  };
  for (const int num_workers : {0, 1}) {
    DataLoader saved(Refuses(), {.num_workers = num_workers});
    take(saved, 2);
    DataLoader loader(Refuses(), {.num_workers = num_workers});
    loader.load_state_dict(saved.state_dict());
    auto batch = loader.begin();
    const std::string message =
        test_support::message_of<WorkerError>([&] { static_cast<void>(batch == loader.end()); });
    EXPECT_NE(message.find("in restore "), std::string::npos) << message;
    ++batch;
    EXPECT_TRUE(batch == loader.end());
  }
}

// Semantics 8.4: the dataset may have changed.
TEST_F(ResumeStreams, of_a_stream_that_has_become_shorter_is_an_error_behind_the_others) {
  for (const int num_workers : {0, 1, 2}) {
    const DataLoaderOptions options{.num_workers = num_workers,
                                    .on_warning = [](std::string_view) {}};
    DataLoader saved(Sharded({6, 6}), options);
    take(saved, num_workers == 2 ? 8 : 4);
    DataLoader loader(Sharded({2, 6}), options);
    loader.load_state_dict(saved.state_dict());
    Values values;
    auto batch = loader.begin();
    const std::string message = test_support::message_of<StateError>([&] {
      for (; batch != loader.end(); ++batch) {
        values.push_back((*batch).item<std::int64_t>());
      }
    });
    EXPECT_EQ(message,
              "the state stopped after 4 batches of the stream of worker 0, but it gives 2: the "
              "dataset may have changed");
    EXPECT_EQ(values, num_workers == 2 ? (Values{104, 105}) : Values());
    ++batch;
    EXPECT_TRUE(batch == loader.end());
    EXPECT_EQ(take(loader).size(), num_workers == 2 ? 8U : 2U) << "the next pass is a whole one";
  }
}

}  // namespace
}  // namespace forklift
