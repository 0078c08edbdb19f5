// SPDX-License-Identifier: MIT
// The processes of a job share each epoch, and half as many go on with it. Here one program plays
// all of them, one after the other.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <forklift/forklift.hpp>

namespace {

constexpr std::size_t kSamples = 960;
constexpr std::size_t kEpochs = 3;

class Numbers {
 public:
  static std::size_t size() { return kSamples; }
  static std::int64_t get(std::size_t index) { return static_cast<std::int64_t>(index); }
};

using Uses = std::vector<int>;  // how often each sample was used

void learn(Uses& uses, const forklift::Tensor& batch) {
  for (const std::int64_t number : batch.data<const std::int64_t>()) {
    ++uses.at(static_cast<std::size_t>(number));
  }
}

// [readme:distributed]
// What each process of the job runs. `saved` is the state of any process of an earlier job, which
// may have had another `world`; empty in the beginning. `stop_after` batches of an epoch, if not 0,
// it returns its state, as it would when the job is about to be moved.
std::string train(
    int rank, int world, std::size_t epoch, const std::string& saved, int stop_after, Uses& uses) {
  forklift::DistributedSampler sampler(kSamples, {.num_replicas = world, .rank = rank, .seed = 1});
  forklift::DataLoader loader(Numbers{}, {.batch_size = 8, .sampler = sampler, .num_workers = 1});
  if (!saved.empty()) {
    loader.load_state_dict(forklift::StateDict::from_json(saved));
  }
  for (; epoch < kEpochs; ++epoch) {
    loader.set_epoch(epoch);  // another order in each epoch, the same one in all processes
    int batches = 0;
    for (auto& batch : loader) {
      learn(uses, batch);
      if (++batches == stop_after) {
        return loader.state_dict().to_json();
      }
    }
  }
  return loader.state_dict().to_json();
}
// [/readme:distributed]

}  // namespace

int main() {
  try {
    Uses uses(kSamples);
    std::string saved;
    for (int rank = 0; rank < 4; ++rank) {
      saved = train(rank, 4, 0, {}, 10, uses);  // 10 of 30 batches in the first epoch
    }
    for (int rank = 0; rank < 2; ++rank) {
      train(rank, 2, 0, saved, 0, uses);
    }
    const bool is_right = uses == Uses(kSamples, kEpochs);
    std::cout << "each sample once in each epoch: " << (is_right ? "yes" : "no") << '\n';
    return is_right ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "distributed: " << error.what() << '\n';
    return 1;
  }
}
