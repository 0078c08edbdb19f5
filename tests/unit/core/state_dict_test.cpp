// SPDX-License-Identifier: MIT
// The JSON of a state: nothing in it is trusted. Semantics 8.2.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.hpp"

#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/state_dict.hpp>

namespace forklift {
namespace {

StateDict full_state() {
  detail::LoaderSnapshot snapshot;
  snapshot.dataset_size = std::numeric_limits<std::uint64_t>::max();
  snapshot.sampler = "my::Sampler \"with quotes\"\n";
  snapshot.seed = 7;
  snapshot.batch_size = 64;
  snapshot.next_epoch = 4;
  snapshot.sample_seed = 1;
  snapshot.base_seed = 2;
  snapshot.pass = detail::PassSnapshot{.epoch = 3,
                                       .batches = 10,
                                       .samples = 640,
                                       .missing = {5, 8},
                                       .batches_before = 4,
                                       .samples_before = 256,
                                       .by_stream = {5, 5},
                                       .streams = {"at 7", std::nullopt},
                                       .last_stream = 1};
  snapshot.generator = Generator(7).get_state();
  snapshot.source = Generator(8).get_state();
  snapshot.sampler_state = "text \xC3\xA4";
  return StateDict(std::move(snapshot));
}

// `text` with the first `from` in it replaced.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  return test_support::message_of<StateError>(
      [&] { static_cast<void>(StateDict::from_json(text)); });
}

void expect_refused(const std::string& text, const std::string& words) {
  const std::string message = error_of(text);
  EXPECT_NE(message.find(words), std::string::npos) << message << "\nlacks: " << words;
}

TEST(StateDict, comes_back_from_json) {
  EXPECT_EQ(StateDict::from_json(full_state().to_json()), full_state());
  EXPECT_EQ(StateDict::from_json(StateDict().to_json()), StateDict());
}

TEST(StateDict, that_is_cut_anywhere_is_refused) {
  const std::string text = full_state().to_json();
  for (std::size_t length = 0; length < text.size(); length += length < 300 ? 1 : 997) {
    expect_refused(text.substr(0, length), "this is no state of a loader");
  }
}

TEST(StateDict, of_another_version_names_both) {
  expect_refused(replaced(full_state().to_json(), "\"version\":1", "\"version\":2"),
                 "this state has version 2, and this Forklift reads version 1");
}

TEST(StateDict, with_wrong_types_and_numbers_out_of_range_is_refused_by_name) {
  const std::string text = full_state().to_json();
  for (const char* value : {"-1", "1.5", "1e400", "18446744073709551616", "\"4\"", "[4]", "true"}) {
    expect_refused(replaced(text, "\"next_epoch\":4", std::string("\"next_epoch\":") + value),
                   std::string(value) == "1e400" ? "number overflow" : "\"next_epoch\"");
  }
  expect_refused(replaced(text, "\"is_iterable\":false", "\"is_iterable\":0"), "\"is_iterable\"");
  expect_refused(replaced(text, "\"missing\":[5,8]", "\"missing\":[8,5]"), "but has 5");
  expect_refused(replaced(text, "\"missing\":[5,8]", "\"missing\":[10]"), "but has 10");
  expect_refused(replaced(text, "\"missing\":[5,8]", "\"missing\":{}"), "\"missing\"");
  expect_refused(replaced(text, "\"by_stream\":[5,5]", "\"by_stream\":[5,-5]"), "\"by_stream\"");
  expect_refused(replaced(text, "\"generator\":\"", "\"generator\":\"0"),
                 "10112 hexadecimal digits");
  expect_refused(replaced(text, "\"source\":\"0", "\"source\":\"g"), "not hexadecimal");
  expect_refused(replaced(text, "\"streams\":[", "\"streams\":[7,"), "\"streams\"");
  expect_refused("[]", "should be an object");
  expect_refused("null", "should be an object");
}

TEST(StateDict, with_keys_missing_unknown_or_twice_is_refused) {
  const std::string text = full_state().to_json();
  expect_refused(replaced(text, "\"seed\":7,", ""), "\"seed\" is missing");
  expect_refused(replaced(text, "\"seed\":7,", "\"seed\":7,\"sead\":7,"), "members more than");
  expect_refused(replaced(text, "\"seed\":7,", "\"seed\":7,\"seed\":7,"), "\"seed\" comes twice");
  expect_refused(replaced(text, "\"epoch\":3", "\"epoch\":3,\"epoch\":3"), "\"epoch\" comes twice");
}

TEST(StateDict, nested_deeply_is_refused_at_once) {
  expect_refused(std::string(1'000'000, '['), "nested more than 3 deep");
  expect_refused(replaced(full_state().to_json(), "\"missing\":[5,8]", "\"missing\":[[[]]]"),
                 "nested more than 3 deep");
}

TEST(StateDict, with_a_list_longer_than_any_loader_has_is_refused) {
  std::string list = "0";
  for (int i = 0; i < 200'000; ++i) {
    list += ",0";
  }
  expect_refused(
      replaced(full_state().to_json(), "\"by_stream\":[5,5]", "\"by_stream\":[" + list + "]"),
      "\"by_stream\" should be a list of at most");
}

TEST(StateDict, of_a_sampler_whose_state_is_no_text_is_refused_when_it_is_written) {
  detail::LoaderSnapshot snapshot;
  snapshot.sampler = "Mine";
  snapshot.sampler_state = std::string(2, static_cast<char>(0xFF));
  const std::string message = test_support::message_of<StateError>(
      [&] { static_cast<void>(StateDict(snapshot).to_json()); });
  EXPECT_NE(message.find("the state of sampler Mine or of a stream is no text"), std::string::npos)
      << message;
}

}  // namespace
}  // namespace forklift
