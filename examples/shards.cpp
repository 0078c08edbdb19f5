// SPDX-License-Identifier: MIT
// A stream of shards that workers and processes share out, and that goes on after a stop without
// reading anything again.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <forklift/forklift.hpp>

namespace {

// [readme:shards]
// Shard s holds the numbers 100 s, 100 s + 1, ...; a real one is a file.
struct Shard {
  std::int64_t first;
  std::int64_t size;
};

// The shards of one worker, from the first one to the last.
class ShardStream {
 public:
  explicit ShardStream(std::vector<Shard> shards) : shards_(std::move(shards)) {}

  std::optional<std::int64_t> next() {
    while (shard_ < shards_.size() && position_ == shards_[shard_].size) {
      ++shard_;
      position_ = 0;
    }
    return shard_ < shards_.size() ? std::optional(shards_[shard_].first + position_++)
                                   : std::nullopt;
  }

  // With these two a loader that goes on from a state reads nothing again.
  std::string state() const { return std::to_string(shard_) + ' ' + std::to_string(position_); }
  void restore(const std::string& state) { std::istringstream(state) >> shard_ >> position_; }

 private:
  std::vector<Shard> shards_;
  std::size_t shard_ = 0;
  std::int64_t position_ = 0;  // in it
};

class Shards {
 public:
  explicit Shards(std::vector<Shard> shards) : shards_(std::move(shards)) {}

  // Of `world` processes with `num_workers` workers each, every worker takes each so-manieth shard.
  ShardStream iterate(const forklift::WorkerInfo& worker) const {
    std::vector<Shard> mine;
    const std::size_t step = worker.world * worker.num_workers;
    for (std::size_t i = worker.rank * worker.num_workers + worker.id; i < shards_.size();
         i += step) {
      mine.push_back(shards_[i]);
    }
    return ShardStream(std::move(mine));
  }

 private:
  std::vector<Shard> shards_;
};
// [/readme:shards]

constexpr int kWorld = 2;
constexpr std::int64_t kShards = 11;

std::vector<Shard> all_shards() {
  std::vector<Shard> shards;
  for (std::int64_t i = 0; i < kShards; ++i) {
    shards.push_back({100 * i, 10 + i});
  }
  return shards;
}

using Uses = std::vector<int>;  // how often each number came

void count(Uses& uses, const forklift::Tensor& batch) {
  for (const std::int64_t number : batch.data<const std::int64_t>()) {
    ++uses.at(static_cast<std::size_t>(number));
  }
}

// What the process `rank` gets, with a stop after three batches.
void read(int rank, Uses& uses) {
  // [readme:shards-use]
  const forklift::DataLoaderOptions options{
      .batch_size = 4, .num_workers = 2, .rank = rank, .world = kWorld};
  forklift::DataLoader loader(Shards(all_shards()), options);
  // [/readme:shards-use]
  int batches = 0;
  for (auto& batch : loader) {
    count(uses, batch);
    if (++batches == 3) {
      break;
    }
  }
  forklift::DataLoader other(Shards(all_shards()), options);
  other.load_state_dict(loader.state_dict());
  for (auto& batch : other) {
    count(uses, batch);
  }
}

}  // namespace

int main() {
  try {
    Uses uses(100 * kShards);
    for (int rank = 0; rank < kWorld; ++rank) {
      read(rank, uses);
    }
    Uses wanted(100 * kShards);
    for (const Shard& shard : all_shards()) {
      for (std::int64_t i = 0; i < shard.size; ++i) {
        wanted.at(static_cast<std::size_t>(shard.first + i)) = 1;
      }
    }
    std::cout << "each number once: " << (uses == wanted ? "yes" : "no") << '\n';
    return uses == wanted ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "shards: " << error.what() << '\n';
    return 1;
  }
}
