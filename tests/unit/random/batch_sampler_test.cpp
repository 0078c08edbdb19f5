// SPDX-License-Identifier: MIT
// Semantics 3.4, 4.4 and 4.6.
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/batch_sampler.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_sampler.hpp>
#include <forklift/sampler.hpp>

namespace forklift {
namespace {

static_assert(BatchIndexSampler<BatchSampler>);

using Lists = std::vector<std::vector<std::size_t>>;

Lists all(const BatchSampler& sampler) {
  Lists lists;
  auto cursor = sampler.iterate();
  while (auto list = cursor.next()) {
    lists.push_back(*list);
  }
  return lists;
}

/// Counts its passes and the indices asked for; throws when index `bad` is asked for.
struct Watched {
  struct Log {
    int passes = 0;
    int asked = 0;
  };
  struct Cursor {
    std::shared_ptr<Log> log;
    std::size_t bad;
    std::size_t index = 0;
    std::optional<std::size_t> next() {
      ++log->asked;
      if (index == bad) {
        throw std::runtime_error("bad index");
      }
      return index < 5 ? std::optional(index++) : std::nullopt;
    }
  };

  std::shared_ptr<Log> log = std::make_shared<Log>();
  std::size_t bad = 100;
  [[nodiscard]] Cursor iterate() const {
    ++log->passes;
    return {log, bad};
  }
};

TEST(BatchSampler, count_and_lists_agree_for_every_size) {
  for (std::size_t size = 0; size <= 20; ++size) {
    for (std::size_t batch_size = 1; batch_size <= 7; ++batch_size) {
      for (const bool drop_last : {false, true}) {
        const BatchSampler sampler(SequentialSampler(size), batch_size, drop_last);
        const Lists lists = all(sampler);
        SCOPED_TRACE(std::to_string(size) + " by " + std::to_string(batch_size));
        EXPECT_EQ(lists.size(),
                  drop_last ? size / batch_size : (size + batch_size - 1) / batch_size);
        EXPECT_EQ(sampler.size(), lists.size());
        std::size_t next = 0;
        for (const auto& list : lists) {
          for (const std::size_t index : list) {
            EXPECT_EQ(index, next++);
          }
        }
        EXPECT_EQ(next, drop_last ? size / batch_size * batch_size : size);
      }
    }
  }
}

TEST(BatchSampler, refuses_batch_sizes_in_the_words_of_pytorch) {
  for (const int batch_size : {0, -4}) {
    try {
      const BatchSampler sampler(SequentialSampler(3), batch_size, false);
      FAIL() << batch_size;
    } catch (const InvalidOptions& error) {
      EXPECT_EQ(std::string(error.what()),
                "batch_size should be a positive integer value, but got batch_size=" +
                    std::to_string(batch_size));
    }
  }
}

TEST(BatchSampler, refuses_an_empty_sampler) {
  EXPECT_THROW(BatchSampler(AnySampler(), 1, false), InvalidOptions);
}

TEST(BatchSampler, starts_the_sampler_with_the_first_batch_only) {
  const Watched watched;
  const BatchSampler sampler(watched, 2, false);
  auto cursor = sampler.iterate();
  EXPECT_EQ(watched.log->passes, 0);
  (void)cursor.next();
  EXPECT_EQ(watched.log->passes, 1);
  EXPECT_EQ(watched.log->asked, 2);
}

TEST(BatchSampler, meets_the_end_of_the_sampler_inside_a_short_batch) {
  const Watched watched;
  auto cursor = BatchSampler(watched, 4, false).iterate();
  (void)cursor.next();
  EXPECT_EQ(watched.log->asked, 4);
  EXPECT_EQ(cursor.next(), (std::vector<std::size_t>{4}));
  EXPECT_EQ(watched.log->asked, 6);
  EXPECT_EQ(cursor.next(), std::nullopt);
  EXPECT_EQ(watched.log->asked, 6);
}

TEST(BatchSampler, does_not_look_for_the_end_after_a_full_batch) {
  const Watched watched;
  auto cursor = BatchSampler(watched, 5, true).iterate();
  (void)cursor.next();
  EXPECT_EQ(watched.log->asked, 5);
  EXPECT_EQ(cursor.next(), std::nullopt);
  EXPECT_EQ(watched.log->asked, 6);
}

TEST(BatchSampler, a_batch_in_which_the_sampler_throws_is_the_last) {
  const Watched watched{.bad = 3};
  auto cursor = BatchSampler(watched, 2, false).iterate();
  EXPECT_EQ(cursor.next(), (std::vector<std::size_t>{0, 1}));
  EXPECT_THROW((void)cursor.next(), std::runtime_error);
  EXPECT_EQ(cursor.next(), std::nullopt);
}

TEST(BatchSampler, has_no_size_where_the_sampler_has_none) {
  EXPECT_EQ(BatchSampler(Watched{}, 2, false).size(), std::nullopt);
}

TEST(BatchSampler, takes_a_batch_size_far_over_the_number_of_indices) {
  const BatchSampler sampler(SequentialSampler(3), ~std::size_t{0}, false);
  EXPECT_EQ(all(sampler), (Lists{{0, 1, 2}}));
  EXPECT_EQ(sampler.size(), 1U);
}

}  // namespace
}  // namespace forklift
