// SPDX-License-Identifier: MIT
#include "oracle/meanings.hpp"

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {
namespace {

/// One thing that goes wrong, and how each side says it, as patterns of "type: message". What a
/// group of a pattern matches is a part of the meaning.
struct Meaning {
  const char* name;
  const char* forklift;
  const char* torch;
};

constexpr Meaning kMeanings[] = {
    // Options, in the order in which they are looked at.
    {"negative num_workers",
     "^InvalidOptions: num_workers option should be non-negative",
     "^ValueError: num_workers option should be non-negative"},
    {"negative timeout",
     "^InvalidOptions: timeout option should be non-negative",
     "^ValueError: timeout option should be non-negative"},
    {"timeout without workers",
     "^InvalidOptions: timeout option needs num_workers > 0",
     "^AssertionError: .*timeout == 0"},
    {"prefetch_factor without workers",
     "^InvalidOptions: prefetch_factor option could only be specified in multiprocessing",
     "^ValueError: prefetch_factor option could only be specified in multiprocessing"},
    {"negative prefetch_factor",
     "^InvalidOptions: prefetch_factor option should be non-negative",
     "^ValueError: prefetch_factor option should be non-negative"},
    {"prefetch_factor of 0",
     "^InvalidOptions: prefetch_factor must be greater than 0",
     "^AssertionError: .*prefetch_factor must be greater than 0"},
    {"persistent_workers without workers",
     "^InvalidOptions: persistent_workers option needs num_workers > 0",
     "^ValueError: persistent_workers option needs num_workers > 0"},
    {"order for an iterable dataset",
     "^InvalidOptions: DataLoader with IterableDataset: expected unspecified (\\w+) option",
     "^ValueError: DataLoader with IterableDataset: expected unspecified (\\w+) option"},
    {"sampler and shuffle",
     "^InvalidOptions: sampler option is mutually exclusive with shuffle",
     "^ValueError: sampler option is mutually exclusive with shuffle"},
    {"batch_sampler and more",
     "^InvalidOptions: batch_sampler option is mutually exclusive with",
     "^ValueError: batch_sampler option is mutually exclusive with"},
    {"drop_last without batches",
     "^InvalidOptions: batch_size=nullopt option disables auto-batching and is mutually exclusive",
     "^ValueError: batch_size=None option disables auto-batching and is mutually exclusive"},
    {"batch_size of 0 or less",
     "^InvalidOptions: batch_size should be a positive integer value",
     "^ValueError: batch_size should be a positive integer value"},

    // Samplers.
    {"num_samples of 0 or less",
     "^InvalidOptions: num_samples should be a positive integer value, but got "
     "num_samples=(-?\\d+)",
     "^ValueError: num_samples should be a positive integer value, but got num_samples=(-?\\d+)"},
    {"samples of nothing",
     "^InvalidOptions: num_samples=\\d+ indices cannot be drawn from 0 elements",
     "^(?:ZeroDivisionError: |RuntimeError: random_ expects 'from' to be less than 'to')"},
    {"rank that is none",
     "^InvalidOptions: Invalid rank (-?\\d+), rank should be in the interval \\[0, (\\d+)\\]",
     "^ValueError: Invalid rank (-?\\d+), rank should be in the interval \\[0, (\\d+)\\]"},
    {"more samples than weights",
     "^InvalidOptions: cannot sample n_sample > prob_dist.size\\(-1\\) samples without replacement",
     "^RuntimeError: cannot sample n_sample > prob_dist.size\\(-1\\) samples without replacement"},
    {"negative weight",
     "^InvalidOptions: invalid multinomial distribution \\(encountering probability entry < 0\\)",
     "^RuntimeError: invalid multinomial distribution \\(encountering probability entry < 0\\)"},
    {"weight that is not finite",
     "^InvalidOptions: invalid multinomial distribution \\(encountering probability entry = inf",
     "^RuntimeError: invalid multinomial distribution \\(encountering probability entry = inf"},
    {"weight that is not finite or negative",
     "^InvalidOptions: probability tensor contains either `inf`, `nan` or element < 0",
     "^RuntimeError: probability tensor contains either `inf`, `nan` or element < 0"},
    {"weights of 0",
     "^InvalidOptions: invalid multinomial distribution \\(sum of probabilities <= 0\\)",
     "^RuntimeError: invalid multinomial distribution \\(sum of probabilities <= 0\\)"},
    {"no weights",
     "^InvalidOptions: weights should hold at least one weight",
     "^RuntimeError: aminmax\\(\\): cannot compute aminmax over an empty dimension"},
    {"sampler threw", "^std::exception: bad sampler$", "^ValueError: bad sampler$"},
    {"batch without an index",
     "^WorkerError\\(forklift::InvalidOptions\\): the batch sampler gave an empty list of indices",
     "^IndexError: list index out of range"},

    // Datasets.
    {"getter threw",
     "^WorkerError\\(std::domain_error\\): bad sample (\\d+)$",
     "^ValueError: bad sample (\\d+)$"},
    {"start threw", "^WorkerError\\(std::domain_error\\): bad start$", "^ValueError: bad start$"},
    {"tensors of unequal shape",
     "^WorkerError\\(forklift::TensorError\\): stack expects each tensor to be equal size",
     "^RuntimeError: (?:stack expects each tensor to be equal size|Trying to resize storage)"},
    {"missing key",
     "^WorkerError\\(forklift::TensorError\\): field \\[(\\w+)\\] is in the map at .* and not in "
     "the one",
     "^KeyError: '(\\w+)'"},
    {"unequal datasets",
     "^InvalidOptions: Size mismatch between (tensors|datasets)",
     "^(?:Assertion|Value)Error: Size mismatch between (tensors|datasets)"},
    {"nothing to concatenate",
     "^InvalidOptions: datasets should not be an empty iterable",
     "^AssertionError: datasets should not be an empty iterable"},
    {"index of no sample",
     "^InvalidOptions: index (\\d+) at position \\d+ of a Subset is out of range",
     "^IndexError: index (\\d+) is out of range"},
    {"lengths of another sum",
     "^InvalidOptions: Sum of input lengths does not equal the length of the input dataset!",
     "^ValueError: Sum of input lengths does not equal the length of the input dataset!"},
    {"fraction that is none",
     "^InvalidOptions: Fraction at index (\\d+) is not between 0 and 1",
     "^ValueError: Fraction at index (\\d+) is not between 0 and 1"},

    // Length.
    {"sampler without length",
     "^StateError: the sampler of this loader has no size\\(\\)",
     "^TypeError: object of type 'WithoutLength' has no len\\(\\)"},
    {"dataset without length",
     "^std::nullopt: ",
     "^TypeError: object of type '(?:Stream|Generated|NoStart)' has no len\\(\\)"},

    // One side alone says these; a deviation turns them into each other.
    {"start threw before", "^$", "^UnboundLocalError: .*'fetcher'"},
    {"tensors of unequal dtype",
     "^WorkerError\\(forklift::TensorError\\): stack expects each tensor to be of equal dtype",
     "^$"},
};

struct Pattern {
  const char* name;
  std::regex words;
};

std::vector<Pattern> compile(Side side) {
  std::vector<Pattern> patterns;
  for (const Meaning& meaning : kMeanings) {
    patterns.push_back(
        {meaning.name, std::regex(side == Side::kForklift ? meaning.forklift : meaning.torch)});
  }
  return patterns;
}

const std::vector<Pattern>& patterns_of(Side side) {
  static const std::vector<Pattern> forklift = compile(Side::kForklift);
  static const std::vector<Pattern> torch = compile(Side::kTorch);
  return side == Side::kForklift ? forklift : torch;
}

/// "type: message". Of what comes out of a PyTorch worker, with its traceback, the last line.
std::string words_of(const nlohmann::json& error) {
  const auto type = error.at("type").get<std::string>();
  auto message = error.at("message").get<std::string>();
  if (!message.starts_with("Caught ")) {
    return type + ": " + message;
  }
  message.erase(message.find_last_not_of('\n') + 1);
  return message.substr(message.rfind('\n') + 1);
}

std::string meaning_of(Side side, const nlohmann::json& error, std::set<std::string>& used) {
  const std::string who = side == Side::kForklift ? "Forklift" : "PyTorch";
  const std::string words = words_of(error);
  std::string meaning;
  for (const Pattern& pattern : patterns_of(side)) {
    std::smatch match;
    if (!std::regex_search(words, match, pattern.words)) {
      continue;
    }
    if (!meaning.empty()) {
      return who + " said what has two meanings, '" + meaning + "' and '" + pattern.name +
             "': " + words;
    }
    meaning = pattern.name;
    used.insert(meaning);
    for (auto group = match.begin() + 1; group != match.end(); ++group) {
      meaning += ", " + group->str();
    }
  }
  return meaning.empty() ? who + " said what is not in the table: " + words : meaning;
}

}  // namespace

void put_meanings(Side side, nlohmann::json& outcome, std::set<std::string>& used) {
  if (outcome.is_object() && outcome.contains("error")) {
    outcome["error"] = meaning_of(side, outcome["error"], used);
  } else if (outcome.is_structured()) {
    for (auto& part : outcome) {
      put_meanings(side, part, used);
    }
  }
}

std::set<std::string> known_meanings() {
  std::set<std::string> names;
  for (const Meaning& meaning : kMeanings) {
    names.insert(meaning.name);
  }
  return names;
}

}  // namespace oracle
