// SPDX-License-Identifier: MIT
// What the constructor of a loader accepts and which mistake it names first. Semantics 1.2.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/numbers.hpp"
#include "support/sharded.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;

// Entries that mean nothing in C++, by their arguments, and why.
struct LeftOut {
  std::string_view args;
  std::string_view reason;
};
constexpr std::string_view kForked = "workers are always forked: there is no such option";
constexpr std::string_view kTyped = "the type of the option says so";
constexpr LeftOut kLeftOut[] = {
    {R"({"multiprocessing_context":"fork"})", kForked},
    {R"({"multiprocessing_context":"bad","num_workers":1})", kForked},
    {R"({"multiprocessing_context":3,"num_workers":1})", kForked},
    {R"({"multiprocessing_context":"bad","num_workers":1,"sampler":[0],"shuffle":true})", kForked},
    {R"({"batch_size":true})", kTyped},
    {R"({"batch_size":2.0})", kTyped},
    {R"({"drop_last":1})", kTyped},
    {R"({"drop_last":null})", kTyped},
    {R"({"collate_fn":3})", kTyped},
    {R"({"num_workers":1,"worker_init_fn":3})", kTyped},
};
static_assert(!std::is_convertible_v<bool, Count> && !std::is_convertible_v<double, Count>);

bool is_left_out(const json& args) {
  return std::ranges::count(kLeftOut, args.dump(), &LeftOut::args) == 1;
}

// What C++ has no option for is the default there, or stands behind the mistake that is named.
DataLoaderOptions options_of(const json& args) {
  DataLoaderOptions options;
  if (args.contains("batch_size")) {
    options.batch_size = args.at("batch_size").is_null()
                             ? std::nullopt
                             : std::optional<Count>(args.at("batch_size").get<std::int64_t>());
  }
  if (args.contains("shuffle") && !args.at("shuffle").is_null()) {
    const json& shuffle = args.at("shuffle");
    options.shuffle = shuffle.is_boolean() ? shuffle.get<bool>() : shuffle.get<int>() != 0;
  }
  if (args.contains("sampler")) {
    options.sampler = args.at("sampler").get<std::vector<std::size_t>>();
  }
  if (args.contains("batch_sampler")) {
    options.batch_sampler = args.at("batch_sampler").get<std::vector<std::vector<std::size_t>>>();
  }
  options.num_workers = args.value("num_workers", 0);
  options.drop_last = args.contains("drop_last") && args.at("drop_last") != false;
  options.timeout = args.value("timeout", 0);
  if (args.contains("prefetch_factor")) {
    options.prefetch_factor = args.at("prefetch_factor").get<int>();
  }
  options.persistent_workers = args.value("persistent_workers", false);
  return options;
}

// The first sentence of a message, without the value that was given, in C++'s words.
std::string gist_of(std::string message) {
  for (const std::string_view end : {", but got", ".", ";"}) {
    message = message.substr(0, message.find(end));
  }
  const auto none = message.find("=None");
  return none == std::string::npos ? message : message.replace(none, 5, "=nullopt");
}

// The message of the InvalidOptions; empty if there is none. Looks at what was accepted, too.
template <class Dataset>
std::string outcome(const Dataset& dataset, const DataLoaderOptions& options, const json& entry) {
  try {
    const DataLoader<Dataset> loader(dataset, options);
    if (entry.contains("ok")) {
      const json& size = entry.at("batch_size");
      EXPECT_EQ(loader.batch_size(),
                size.is_null() ? std::nullopt : std::optional(size.get<std::size_t>()))
          << entry.dump();
    }
    return {};
  } catch (const InvalidOptions& error) {
    return error.what();
  }
}

std::string outcome_of(const json& entry) {
  const DataLoaderOptions options = options_of(entry.at("args"));
  const std::string kind = entry.at("dataset").get<std::string>();
  return kind == "iterable"
             ? outcome(test_support::Sharded({3}), options, entry)
             : outcome(test_support::numbers(kind == "map3" ? 3 : 0), options, entry);
}

TEST(GoldenConstructor, names_the_mistake_that_pytorch_names) {
  std::size_t left_out = 0;
  for (const json& entry : test::golden("constructor_cases")) {
    const json& args = entry.at("args");
    if (is_left_out(args)) {
      ++left_out;
      continue;
    }
    const std::string message = outcome_of(entry);
    if (args == json{{"timeout", 5}}) {  // found in iter() there, here at once
      EXPECT_NE(message.find("requires timeout == 0"), std::string::npos) << message;
    } else if (args == json{{"num_workers", 1}, {"prefetch_factor", 0}}) {
      EXPECT_NE(message.find("prefetch_factor must be greater than 0"), std::string::npos);
    } else {
      EXPECT_EQ(gist_of(message), gist_of(entry.value("message", ""))) << entry.dump();
    }
  }
  EXPECT_EQ(left_out, std::size(kLeftOut));
}

}  // namespace
}  // namespace forklift
