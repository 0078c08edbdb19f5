// SPDX-License-Identifier: MIT
// Stop anywhere, go on with other workers: the two halves joined are the whole, epochs after it
// included. Semantics 8.1, 8.3, 8.4 and 8.5.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/augmented.hpp"
#include "support/dice.hpp"
#include "support/leaves_nothing.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using Values = std::vector<std::int64_t>;
using Batches = std::vector<Values>;

using test_support::Augmented;
using test_support::Dice;
using Loader = DataLoader<Augmented>;

// A sampler of the user's, whose order goes on from pass to pass.
class Rotating {
 public:
  explicit Rotating(std::size_t size) : size_(size) {}
  class Cursor {
   public:
    Cursor(std::size_t first, std::size_t size) : first_(first), size_(size) {}
    std::optional<std::size_t> next() {
      return taken_ < size_ ? std::optional((first_ + taken_++) % size_) : std::nullopt;
    }

   private:
    std::size_t first_;
    std::size_t size_;
    std::size_t taken_ = 0;
  };
  Cursor iterate() { return {first_++, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string state_dict() const { return std::to_string(first_); }
  void load_state_dict(const std::string& state) { first_ = std::stoul(state); }

 private:
  std::size_t size_;
  std::size_t first_ = 0;
};

struct Draw {
  std::size_t size = 0;
  int sampler = 0;
  std::optional<int> batch_size;
  std::optional<int> batch_size_after;
  bool drop_last = false;
  bool persistent = false;
  int workers_before = 0;
  int workers_after = 0;
  WorkerKind kind_before = WorkerKind::process;
  WorkerKind kind_after = WorkerKind::process;
  int prefetch = 1;
  int seed = 0;
  std::size_t epoch = 0;    // in which it stops
  std::size_t batches = 0;  // taken of it; one more than there are: its end was seen

  [[nodiscard]] std::string text() const {
    return "size " + std::to_string(size) + ", sampler " + std::to_string(sampler) +
           ", batch_size " + std::to_string(batch_size.value_or(-1)) + " then " +
           std::to_string(batch_size_after.value_or(-1)) + ", drop_last " +
           std::to_string(static_cast<int>(drop_last)) + ", persistent " +
           std::to_string(static_cast<int>(persistent)) + ", workers " +
           std::to_string(workers_before) + " then " + std::to_string(workers_after) +
           ", threads " + std::to_string(static_cast<int>(kind_before)) + " then " +
           std::to_string(static_cast<int>(kind_after)) + ", prefetch " + std::to_string(prefetch) +
           ", seed " + std::to_string(seed) + ", stopped in epoch " + std::to_string(epoch) +
           " after " + std::to_string(batches);
  }
};

Draw roll(Dice& dice) {
  Draw draw;
  draw.size = static_cast<std::size_t>(1 + dice.below(24));
  draw.sampler = dice.below(12);
  draw.batch_size = dice.below(6) == 0 ? std::nullopt : std::optional(1 + dice.below(7));
  draw.drop_last = draw.batch_size.has_value() && dice.below(3) == 0;
  draw.batch_size_after = draw.batch_size;
  if (draw.batch_size.has_value() && !draw.drop_last && draw.sampler != 5 && dice.below(5) == 0) {
    draw.batch_size_after = 1 + dice.below(7);
  }
  draw.workers_before = dice.below(2) == 0 ? 0 : 1 + dice.below(3);
  draw.workers_after = dice.below(2) == 0 ? 0 : 1 + dice.below(3);
  draw.persistent = draw.workers_before > 0 && draw.workers_after > 0 && dice.below(2) == 0;
  draw.kind_before = static_cast<WorkerKind>(dice.below(2));
  draw.kind_after = static_cast<WorkerKind>(dice.below(2));
  draw.prefetch = 1 + dice.below(4);
  draw.seed = dice.below(1000);
  draw.epoch = static_cast<std::size_t>(dice.below(3));
  draw.batches = static_cast<std::size_t>(dice.below(12));
  return draw;
}

Loader make_loader(const Draw& draw, bool before) {
  const auto n = draw.size;
  DataLoaderOptions options{.batch_size = before ? draw.batch_size : draw.batch_size_after,
                            .num_workers = before ? draw.workers_before : draw.workers_after,
                            .drop_last = draw.drop_last,
                            .generator = Generator(draw.seed),
                            .worker_kind = before ? draw.kind_before : draw.kind_after,
                            .on_warning = [](std::string_view) {}};
  if (!options.num_workers.is_zero()) {
    options.prefetch_factor = draw.prefetch;
    options.persistent_workers = draw.persistent;
  }
  switch (draw.sampler) {
    case 0:
      break;
    case 1:
      options.shuffle = true;
      break;
    case 2:
      options.sampler = RandomSampler(
          n, {.replacement = true, .num_samples = n + 40, .generator = Generator(draw.seed + 1)});
      break;
    case 3:
      options.sampler =
          RandomSampler(n, {.num_samples = 2 * n + n / 2, .generator = options.generator});
      break;
    case 4:
      options.sampler = Rotating(n);
      break;
    case 5: {
      std::vector<std::vector<std::size_t>> lists;
      for (std::size_t first = 0; first < n; first += 1 + first % 4) {
        lists.push_back({first, n - 1 - first, first / 2});
        lists.back().resize(1 + first % 3);
      }
      options.batch_sampler = std::move(lists);
      options.batch_size = 1;
      options.drop_last = false;
      break;
    }
    case 6:
      options.sampler = SubsetRandomSampler(std::vector<std::size_t>{0, n / 2, n - 1, n / 3},
                                            {.generator = Generator(draw.seed + 2)});
      break;
    case 7:
      options.sampler =
          WeightedRandomSampler(std::vector<double>(n, 0.5), 30, {.generator = options.generator});
      break;
    case 8:
      options.sampler =
          BlockRandomSampler(n, {.num_samples = n + 5, .generator = Generator(draw.seed)});
      break;
    case 9:
      options.sampler = DistributedSampler(
          n, {.num_replicas = 2, .rank = draw.seed % 2, .seed = 4, .drop_last = draw.drop_last});
      break;
    case 10:
      options.sampler = DistributedWeightedSampler(
          std::vector<double>(n, 2.0), 31, {.num_replicas = 3, .rank = draw.seed % 3});
      break;
    default: {
      std::vector<int> range;
      for (std::size_t i = 0; i < n; ++i) {
        range.push_back(static_cast<int>(n - 1 - i));
      }
      options.sampler = std::move(range);
    }
  }
  return Loader(Augmented(n), options);
}

// Takes at most `most` batches; all and the end with one more than there are.
Batches take(Loader& loader, std::size_t most = SIZE_MAX) {
  Batches batches;
  auto batch = loader.begin();
  while (batches.size() < most && batch != loader.end()) {
    const auto data = (*batch).data<std::int64_t>();
    batches.emplace_back(data.begin(), data.end());
    ++batch;
  }
  return batches;
}

Values joined(const Batches& batches) {
  Values values;
  for (const Values& batch : batches) {
    values.insert(values.end(), batch.begin(), batch.end());
  }
  return values;
}

void expect_no_seam(const Draw& draw) {
  std::vector<Batches> whole;
  std::uint64_t next_draw = 0;  // of the loader's generator, when all is over
  {
    Loader loader = make_loader(draw, true);
    for (std::size_t epoch = 0; epoch < draw.epoch + 2; ++epoch) {
      whole.push_back(take(loader));
    }
    next_draw = Generator(*loader.options().generator).random63();
  }
  std::string saved;
  Batches halves;
  {
    Loader loader = make_loader(draw, true);
    for (std::size_t epoch = 0; epoch < draw.epoch; ++epoch) {
      EXPECT_EQ(take(loader), whole[epoch]) << draw.text();
    }
    halves = take(loader, draw.batches);
    saved = loader.state_dict().to_json();
  }
  const bool ended = draw.batches > whole[draw.epoch].size();
  Loader loader = make_loader(draw, false);
  loader.load_state_dict(StateDict::from_json(saved));
  EXPECT_EQ(loader.state_dict().to_json(), saved) << draw.text();
  if (!ended) {
    const Batches rest = take(loader);
    halves.insert(halves.end(), rest.begin(), rest.end());
  }
  const Batches next = take(loader);
  if (draw.batch_size == draw.batch_size_after) {
    EXPECT_EQ(halves, whole[draw.epoch]) << draw.text();
    EXPECT_EQ(next, whole[draw.epoch + 1]) << draw.text();
    EXPECT_EQ(Generator(*loader.options().generator).random63(), next_draw) << draw.text();
  } else {
    EXPECT_EQ(joined(halves), joined(whole[draw.epoch])) << draw.text();
    EXPECT_EQ(joined(next), joined(whole[draw.epoch + 1])) << draw.text();
  }
}

// 2,000 draws in parts, which run side by side; with a sanitizer one of them is enough.
class ResumeProperty : public test_support::LeavesNothing,
                       public ::testing::WithParamInterface<int> {};

TEST_P(ResumeProperty, two_halves_joined_are_the_whole) {
  Dice dice(GetParam());
  for (int i = 0; i < 250 && !HasFailure(); ++i) {
    expect_no_seam(roll(dice));
  }
}

INSTANTIATE_TEST_SUITE_P(Part, ResumeProperty, ::testing::Range(0, 8));

}  // namespace
}  // namespace forklift
