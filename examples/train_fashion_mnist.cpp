// SPDX-License-Identifier: MIT
// Trains a small convolutional network on Fashion-MNIST: forked workers read, augment and collate,
// this process only computes. Prints the accuracy on the test split at the end.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include <torch/torch.h>

#include <CLI/CLI.hpp>
#include <forklift/datasets/fashion_mnist.hpp>
#include <forklift/torch.hpp>

namespace {

using Clock = std::chrono::steady_clock;
using forklift::datasets::FashionMnist;

constexpr std::int64_t kSide = 28;

struct Settings {
  std::filesystem::path data = FashionMnist::kDebianFolder;
  std::string device = "cpu";
  std::uint64_t seed = 1;
  std::int64_t epochs = 2;
  std::int64_t batch_size = 64;
  std::int64_t num_workers = 2;
  std::size_t max_batches = 0;
};

// How one image is changed before the network sees it.
struct Augmentation {
  std::int64_t down = 0;
  std::int64_t right = 0;
  bool flip = false;
};

// Bytes to floats of mean 0 and deviation 1; what is moved in from outside is black.
torch::Tensor to_input(const forklift::Tensor& image, const Augmentation& change) {
  constexpr float kMean = 0.2860F;
  constexpr float kDeviation = 0.3530F;
  torch::Tensor input = torch::full({1, kSide, kSide}, -kMean / kDeviation);
  const auto pixels = image.data<const std::uint8_t>();
  float* out = input.data_ptr<float>();
  for (std::int64_t y = std::max<std::int64_t>(0, change.down);
       y < std::min(kSide, kSide + change.down);
       ++y) {
    for (std::int64_t x = std::max<std::int64_t>(0, change.right);
         x < std::min(kSide, kSide + change.right);
         ++x) {
      const std::int64_t column = x - change.right;
      const std::int64_t from =
          (y - change.down) * kSide + (change.flip ? kSide - 1 - column : column);
      const auto value = static_cast<float>(pixels[static_cast<std::size_t>(from)]) / 255.0F;
      out[y * kSide + x] = (value - kMean) / kDeviation;
    }
  }
  return input;
}

// [readme:torch-dataset]
struct Sample {
  torch::Tensor image;  // float [1, 28, 28]
  std::int64_t label;
};

// Runs in the workers. The numbers drawn depend on seed, epoch and index, not on the worker.
class TrainingSet {
 public:
  explicit TrainingSet(const std::filesystem::path& folder) : files_(folder) {}
  std::size_t size() const { return files_.size(); }
  Sample get(std::size_t index, forklift::SampleRng& rng) const {
    const auto [pixels, label] = files_.get(index);
    const Augmentation change{rng.below(3) - 1, rng.below(3) - 1, rng.below(2) == 1};
    return {to_input(pixels, change), label};
  }

 private:
  FashionMnist files_;
};
// [/readme:torch-dataset]

class TestSet {
 public:
  explicit TestSet(const std::filesystem::path& folder)
      : files_(folder, FashionMnist::Split::test) {}
  std::size_t size() const { return files_.size(); }
  Sample get(std::size_t index) const {
    const auto [pixels, label] = files_.get(index);
    return {to_input(pixels, {}), label};
  }

 private:
  FashionMnist files_;
};

torch::nn::Sequential make_network() {
  namespace nn = torch::nn;
  return nn::Sequential(nn::Conv2d(nn::Conv2dOptions(1, 16, 3).padding(1)),
                        nn::ReLU(),
                        nn::MaxPool2d(2),
                        nn::Conv2d(nn::Conv2dOptions(16, 32, 3).padding(1)),
                        nn::ReLU(),
                        nn::MaxPool2d(2),
                        nn::Flatten(),
                        nn::Linear(32 * 7 * 7, 10));
}

// Threads that compute: the cores that no worker uses. Threads that wait for a core held by
// somebody else cost far more than they bring, and so do many of them for a network as small as
// this.
int compute_threads(std::int64_t num_workers) {
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp<std::int64_t>(cores - num_workers, 1, 4));
}

double seconds(Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// One line about a running epoch: rewritten in place on a terminal, ten times an epoch elsewhere.
class Progress {
 public:
  Progress(std::int64_t epoch, std::size_t batches) : epoch_(epoch), batches_(batches) {}

  // Counts one batch; `waited` is the time that it took to arrive.
  void step(std::int64_t samples, float loss, Clock::duration waited) {
    ++batch_;
    samples_ += samples;
    waited_ += waited;
    // A smooth mean: a single batch says little.
    loss_ = batch_ == 1 ? loss : 0.95F * loss_ + 0.05F * loss;
    const Clock::time_point now = Clock::now();
    const bool last = batch_ == batches_;
    const bool due = on_terminal_ ? now - shown_ > std::chrono::milliseconds(100)
                                  : batch_ * 10 / batches_ != (batch_ - 1) * 10 / batches_;
    if (due || last) {
      shown_ = now;
      show(seconds(now - started_), last);
    }
  }

 private:
  void show(double elapsed, bool last) const {
    std::printf(
        "%sepoch %lld: batch %zu of %zu, %.0f samples/s, %.1f %% waiting for data, loss %.3f%s%s",
        on_terminal_ ? "\r" : "",
        static_cast<long long>(epoch_),
        batch_,
        batches_,
        static_cast<double>(samples_) / elapsed,
        100.0 * seconds(waited_) / elapsed,
        static_cast<double>(loss_),
        on_terminal_ ? "\033[K" : "",  // clears what a longer line left behind
        on_terminal_ && !last ? "" : "\n");
    std::fflush(stdout);
  }

  bool on_terminal_ = ::isatty(STDOUT_FILENO) == 1;
  std::int64_t epoch_;
  std::size_t batches_;
  std::size_t batch_ = 0;
  std::int64_t samples_ = 0;
  float loss_ = 0;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_ = started_;
  Clock::duration waited_{};
};

// One step of the optimizer; returns the loss before it.
float train_step(torch::nn::Sequential& network,
                 torch::optim::Optimizer& optimizer,
                 const torch::Tensor& images,
                 const torch::Tensor& labels) {
  optimizer.zero_grad();
  torch::Tensor loss = torch::nn::functional::cross_entropy(network->forward(images), labels);
  loss.backward();
  optimizer.step();
  return loss.item<float>();
}

void train_epoch(auto& loader,
                 torch::nn::Sequential& network,
                 torch::optim::Optimizer& optimizer,
                 Progress& progress,
                 std::size_t batches) {
  network->train();
  // [readme:torch-loop]
  Clock::time_point asked = Clock::now();
  for (auto& [images, labels] : loader) {
    const Clock::duration waited = Clock::now() - asked;
    const float loss = train_step(network, optimizer, images, labels);
    progress.step(images.size(0), loss, waited);
    if (--batches == 0) {
      break;
    }
    asked = Clock::now();
  }
  // [/readme:torch-loop]
}

// The share of the samples whose class the network finds.
double accuracy(auto& loader, torch::nn::Sequential& network) {
  const torch::NoGradGuard no_grad;
  network->eval();
  std::int64_t right = 0;
  std::int64_t all = 0;
  for (auto& [images, labels] : loader) {
    right += network->forward(images).argmax(1).eq(labels).sum().template item<std::int64_t>();
    all += labels.size(0);
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

void run(const Settings& settings) {
  torch::set_num_threads(compute_threads(settings.num_workers));
  // The loader draws its order and augmentation from libtorch's generator, since the samples are
  // libtorch's.
  torch::manual_seed(settings.seed);
  // [readme:torch-loader]
  // Workers are forked by the first pass of a loader; these are kept for the passes after it.
  forklift::DataLoader training(TrainingSet(settings.data),
                                {.batch_size = settings.batch_size,
                                 .shuffle = true,
                                 .num_workers = settings.num_workers,
                                 .persistent_workers = settings.num_workers > 0});
  forklift::DataLoader test(TestSet(settings.data),
                            {.batch_size = 500, .num_workers = settings.num_workers});
  // [/readme:torch-loader]

  torch::nn::Sequential network = make_network();
  torch::optim::Adam optimizer(network->parameters(), torch::optim::AdamOptions(1e-3));
  const std::size_t batches =
      settings.max_batches == 0 ? training.size() : std::min(settings.max_batches, training.size());
  for (std::int64_t epoch = 0; epoch < settings.epochs; ++epoch) {
    Progress progress(epoch, batches);
    train_epoch(training, network, optimizer, progress, batches);
  }
  std::printf("test accuracy %.3f\n", accuracy(test, network));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Trains a small convolutional network on Fashion-MNIST.");
  app.option_defaults()->always_capture_default();
  app.add_option("--num-workers", settings.num_workers, "Processes that load; 0 loads in this one");
  app.add_option("--batch-size", settings.batch_size, "Samples in a batch");
  app.add_option("--epochs", settings.epochs, "Passes over the training split")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seed", settings.seed, "Of weights, order and augmentation");
  app.add_option("--data", settings.data, "Folder with the four idx files, gzipped or not");
  app.add_option("--device", settings.device, "Where the network computes")
      ->check(CLI::IsMember({"cpu"}));
  app.add_option("--max-batches", settings.max_batches, "Batches of an epoch; 0 takes all of them");
  try {
    app.parse(argc, argv);
    run(settings);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train_fashion_mnist: %s\n", error.what());
    return 1;
  }
}
