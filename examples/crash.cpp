// SPDX-License-Identifier: MIT
// A training that is killed again and again goes on where its last checkpoint was written. The
// program starts it in a child process, which kills itself, and counts in the end.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <forklift/forklift.hpp>

namespace {

constexpr std::size_t kSamples = 500;
constexpr std::size_t kEpochs = 3;

class Numbers {
 public:
  static std::size_t size() { return kSamples; }
  static std::int64_t get(std::size_t index) { return static_cast<std::int64_t>(index); }
};

// Stands for the weights: how often each sample was used.
using Model = std::vector<int>;

void learn(Model& model, const forklift::Tensor& batch) {
  for (const std::int64_t number : batch.data<const std::int64_t>()) {
    ++model.at(static_cast<std::size_t>(number));
  }
}

// [readme:checkpoint]
// One file holds what was learnt and where the loader stands, so that both are of one moment.
struct Checkpoint {
  std::size_t epoch = 0;
  Model model = Model(kSamples);
  forklift::StateDict loader;  // a default-made one begins at the first batch
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// A name stands for the old file until the new one is whole and on the disk.
void write_atomically(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path part = path.string() + ".part";
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(part.c_str(), "wb"));
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0 || ::fsync(::fileno(file.get())) != 0) {
    throw std::system_error(errno, std::generic_category(), part.string());
  }
  std::filesystem::rename(part, path);
}

void save(const std::filesystem::path& path, const Checkpoint& at) {
  std::ostringstream text;
  text << at.epoch << '\n';
  for (const int uses : at.model) {
    text << uses << ' ';
  }
  text << '\n' << at.loader.to_json() << '\n';
  write_atomically(path, text.str());
}

Checkpoint load(const std::filesystem::path& path) {
  Checkpoint at;
  std::ifstream file(path);
  if (file) {  // else this is the first run
    file >> at.epoch;
    for (int& uses : at.model) {
      file >> uses;
    }
    std::string json;
    std::getline(file >> std::ws, json);
    at.loader = forklift::StateDict::from_json(json);
  }
  return at;
}
// [/readme:checkpoint]

// Does not return when it dies after so many batches.
// [readme:crash]
void train(const std::filesystem::path& path, int batches_to_live) {
  Checkpoint at = load(path);
  forklift::DataLoader loader(
      Numbers{},
      {.batch_size = 10, .shuffle = true, .num_workers = 2, .generator = forklift::Generator(7)});
  loader.load_state_dict(at.loader);
  for (; at.epoch < kEpochs; ++at.epoch) {
    int batches = 0;
    for (auto& batch : loader) {
      learn(at.model, batch);
      if (++batches % 4 == 0) {
        at.loader = loader.state_dict();
        save(path, at);
      }
      if (--batches_to_live == 0) {
        std::raise(SIGKILL);
      }
    }
  }
  at.loader = loader.state_dict();
  save(path, at);
}
// [/readme:crash]

// The status of a process that trains.
int train_in_a_child(const std::filesystem::path& path, int batches_to_live) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    try {
      train(path, batches_to_live);
    } catch (const std::exception& error) {
      std::cerr << "crash: " << error.what() << '\n';
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid) {
    throw std::system_error(errno, std::generic_category(), "a child process");
  }
  return status;
}

bool every_sample_is_used_once_an_epoch(const std::filesystem::path& path) {
  for (const int batches : {3, 6, 47, 4, 50}) {
    const int status = train_in_a_child(path, batches);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
      return false;
    }
  }
  return train_in_a_child(path, 0) == 0 && load(path).model == Model(kSamples, kEpochs);
}

}  // namespace

int main() {
  const std::filesystem::path path = "crash." + std::to_string(::getpid()) + ".checkpoint";
  try {
    const bool is_right = every_sample_is_used_once_an_epoch(path);
    std::filesystem::remove(path);
    std::cout << "each sample once in each epoch: " << (is_right ? "yes" : "no") << '\n';
    return is_right ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "crash: " << error.what() << '\n';
    return 1;
  }
}
