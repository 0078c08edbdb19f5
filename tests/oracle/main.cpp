// SPDX-License-Identifier: MIT
// forklift-oracle: the same loaders in Forklift and in a live PyTorch, compared.
#include <cstddef>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle/combination.hpp"
#include "oracle/compare.hpp"
#include "oracle/deviations.hpp"
#include "oracle/grid.hpp"
#include "oracle/meanings.hpp"
#include "oracle/runs.hpp"
#include "oracle/torch_children.hpp"
#include "oracle/versions.hpp"

#include <CLI/CLI.hpp>

namespace {

using oracle::Combination;

constexpr std::size_t kShownInFull = 20;

struct Settings {
  std::string program;
  std::filesystem::path python;
  std::size_t children = 2;
  std::vector<std::string> words;  ///< of one combination, to run it alone
  bool list = false;
};

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + word;
  }
  return line;
}

class Oracle {
 public:
  explicit Oracle(const Settings& settings)
      : settings_(settings),
        torch_(settings.python, settings.words.empty() ? settings.children : 1) {}

  /// Returns the exit status.
  int run() {
    const bool alone = !settings_.words.empty();
    choose(alone ? std::vector{oracle::from_line(joined(settings_.words))} : oracle::grid());
    torch_.ask(combinations_);
    for (const Combination& combination : combinations_) {
      run_one(combination, alone);
    }
    std::cout << combinations_.size() - num_different_ << " of " << combinations_.size()
              << " combinations agree with PyTorch " << torch_.version() << '\n';
    const bool complete = alone || !left_out_.empty() || is_every_entry_used();
    tell_tables();
    return num_different_ == 0 && complete && !combinations_.empty() ? 0 : 1;
  }

 private:
  void choose(const std::vector<Combination>& wanted) {
    for (const Combination& combination : wanted) {
      if (const char* why = oracle::why_left_out(torch_.version(), combination)) {
        ++left_out_[why];
      } else {
        combinations_.push_back(combination);
      }
    }
  }

  void run_one(const Combination& combination, bool alone) {
    const std::string line = to_line(combination);
    try {
      const auto forklift = oracle::run_forklift(combination);
      const auto torch = torch_.next();
      if (alone) {
        std::cout << "PyTorch:  " << torch.dump() << "\nForklift: " << forklift.dump() << '\n';
      }
      const auto comparison = oracle::compare(combination, torch, forklift, used_);
      if (!comparison.agrees()) {
        tell_failure(line, comparison.differences());
      }
    } catch (const std::exception&) {
      tell_failure(line, "");
      throw;
    }
  }

  void tell_failure(const std::string& line, const std::string& differences) {
    ++num_different_;
    std::cout << "differs: " << settings_.program << " --python " << settings_.python.string()
              << ' ' << line << '\n'
              << (num_different_ <= kShownInFull ? differences : "") << std::flush;
  }

  /// A table must not keep what nothing needs.
  [[nodiscard]] bool is_every_entry_used() const {
    bool complete = true;
    for (const std::string& meaning : oracle::known_meanings()) {
      if (!used_.meanings.contains(meaning)) {
        std::cout << "no combination has the meaning '" << meaning << "'\n";
        complete = false;
      }
    }
    for (const oracle::Deviation& deviation : oracle::deviations()) {
      if (!used_.deviations.contains(deviation.name)) {
        std::cout << "no combination has the deviation " << deviation.name << '\n';
        complete = false;
      }
    }
    return complete;
  }

  void tell_tables() const {
    for (const auto& [why, count] : left_out_) {
      std::cout << "left out: " << count << ", " << why << '\n';
    }
    for (const oracle::Deviation& deviation : oracle::deviations()) {
      if (used_.deviations.contains(deviation.name)) {
        std::cout << "meant to differ: " << deviation.name << ": " << deviation.reason << '\n';
      }
    }
  }

  Settings settings_;
  oracle::TorchChildren torch_;
  std::vector<Combination> combinations_;
  std::map<std::string, std::size_t> left_out_;
  oracle::Used used_;
  std::size_t num_different_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  settings.program = argv[0];
  CLI::App app(
      "Runs loaders in Forklift and in PyTorch and compares batches, orders, lengths, "
      "generator states, warnings and errors.");
  app.add_option("--python", settings.python, "An interpreter that can import torch")->required();
  app.add_option("--children", settings.children, "Interpreters that work at a time")
      ->check(CLI::Range(1, 64));
  app.add_flag("--list", settings.list, "Print the combinations and do nothing");
  app.add_option("combination", settings.words, "name=value ...: run this one alone");
  CLI11_PARSE(app, argc, argv);
  try {
    if (settings.list) {
      for (const Combination& combination : oracle::grid()) {
        std::cout << to_line(combination) << '\n';
      }
      return 0;
    }
    return Oracle(settings).run();
  } catch (const std::exception& error) {
    std::cerr << "forklift-oracle: " << error.what() << '\n';
    return 1;
  }
}
