// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <forklift/detail/generator_blob.hpp>
#include <forklift/error.hpp>
#include <forklift/state_dict.hpp>
#include <nlohmann/json.hpp>

namespace forklift {
namespace {

using detail::GeneratorBlob;
using detail::LoaderSnapshot;
using detail::PassSnapshot;
using nlohmann::json;

constexpr std::uint64_t kVersion = 1;
// The state, its pass and the lists in it.
constexpr int kDeepest = 3;
// Far more than a loader can have in flight, and than it can have workers.
constexpr std::size_t kLongestList = std::size_t{1} << 17U;

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw StateError("this is no state of a loader: " +
                   fmt::format(text, std::forward<Arguments>(arguments)...));
}

template <class T>
json optional_json(const std::optional<T>& value) {
  return value.has_value() ? json(*value) : json(nullptr);
}

json blob_json(const std::optional<GeneratorBlob>& blob) {
  return blob.has_value() ? json(detail::to_text(*blob)) : json(nullptr);
}

json pass_json(const std::optional<PassSnapshot>& pass) {
  if (!pass.has_value()) {
    return nullptr;
  }
  json streams = json::array();
  for (const auto& stream : pass->streams) {
    streams.push_back(optional_json(stream));
  }
  return {{"epoch", pass->epoch},
          {"batches", pass->batches},
          {"samples", pass->samples},
          {"missing", pass->missing},
          {"batches_before", pass->batches_before},
          {"samples_before", pass->samples_before},
          {"by_stream", pass->by_stream},
          {"streams", std::move(streams)},
          {"last_stream", pass->last_stream}};
}

/// The members of one object, taken one by one; what is left at the end is unknown.
class Members {
 public:
  explicit Members(const json& object, const char* name) : object_(object) {
    if (!object.is_object()) {
      refuse("{} should be an object, but is {}", name, object.type_name());
    }
  }

  const json& take(const char* key) {
    const auto found = object_.find(key);
    if (found == object_.end()) {
      refuse("\"{}\" is missing", key);
    }
    ++num_taken_;
    return *found;
  }
  void expect_no_more() const {
    if (num_taken_ != object_.size()) {
      refuse("it has {} members more than version {} knows", object_.size() - num_taken_, kVersion);
    }
  }

 private:
  const json& object_;
  std::size_t num_taken_ = 0;
};

std::uint64_t to_number(const json& value, const char* key) {
  if (!value.is_number_unsigned()) {
    refuse("\"{}\" should be an integer from 0 to {}, but is {}",
           key,
           std::numeric_limits<std::uint64_t>::max(),
           value.is_number() ? value.dump() : value.type_name());
  }
  return value.get<std::uint64_t>();
}

std::string to_text(const json& value, const char* key) {
  if (!value.is_string()) {
    refuse("\"{}\" should be a string, but is {}", key, value.type_name());
  }
  return value.get<std::string>();
}

bool to_bool(const json& value, const char* key) {
  if (!value.is_boolean()) {
    refuse("\"{}\" should be true or false, but is {}", key, value.type_name());
  }
  return value.get<bool>();
}

std::optional<std::uint64_t> to_optional_number(const json& value, const char* key) {
  return value.is_null() ? std::nullopt : std::optional(to_number(value, key));
}

std::optional<GeneratorBlob> to_blob(const json& value, const char* key) {
  return value.is_null()
             ? std::nullopt
             : std::optional(detail::to_blob(to_text(value, key), fmt::format("\"{}\"", key)));
}

/// `convert(element, key)` of each element of a list of `what`.
template <class Convert>
auto to_list(const json& value, const char* key, const char* what, Convert convert) {
  if (!value.is_array() || value.size() > kLongestList) {
    refuse("\"{}\" should be a list of at most {} {}", key, kLongestList, what);
  }
  std::vector<decltype(convert(value, key))> list;
  for (const json& element : value) {
    list.push_back(convert(element, key));
  }
  return list;
}

std::optional<std::string> to_optional_text(const json& value, const char* key) {
  return value.is_null() ? std::nullopt : std::optional(to_text(value, key));
}

std::optional<PassSnapshot> to_pass(const json& value) {
  if (value.is_null()) {
    return std::nullopt;
  }
  Members members(value, "\"pass\"");
  PassSnapshot pass;
  pass.epoch = to_number(members.take("epoch"), "epoch");
  pass.batches = to_number(members.take("batches"), "batches");
  pass.samples = to_number(members.take("samples"), "samples");
  pass.missing = to_list(members.take("missing"), "missing", "integers", to_number);
  pass.batches_before = to_number(members.take("batches_before"), "batches_before");
  pass.samples_before = to_number(members.take("samples_before"), "samples_before");
  pass.by_stream = to_list(members.take("by_stream"), "by_stream", "integers", to_number);
  pass.streams = to_list(members.take("streams"), "streams", "strings", to_optional_text);
  pass.last_stream = to_number(members.take("last_stream"), "last_stream");
  members.expect_no_more();
  for (std::size_t i = 0; i < pass.missing.size(); ++i) {
    if (pass.missing[i] >= pass.batches || (i > 0 && pass.missing[i] <= pass.missing[i - 1])) {
      refuse("\"missing\" should ascend and stay below \"batches\", but has {}", pass.missing[i]);
    }
  }
  return pass;
}

/// Sees to it, while the text is read, that it is neither deep nor ambiguous.
class Watch {
 public:
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kDeepest) {
        refuse("it is nested more than {} deep", kDeepest);
      }
      if (event == Event::object_start) {
        keys_[static_cast<std::size_t>(depth)].clear();
      }
    } else if (event == Event::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_[static_cast<std::size_t>(depth) - 1].insert(key).second) {
        refuse("the key \"{}\" comes twice", key);
      }
    }
    return true;
  }

 private:
  std::array<std::set<std::string>, kDeepest> keys_;
};

json parse(std::string_view text) {
  try {
    Watch watch;
    return json::parse(text, std::ref(watch));
  } catch (const json::exception& error) {
    refuse("{}", error.what());
  }
}

}  // namespace

std::string StateDict::to_json() const try {
  return json{{"version", kVersion},
              {"is_iterable", snapshot_.is_iterable},
              {"dataset_size", optional_json(snapshot_.dataset_size)},
              {"sampler", snapshot_.sampler},
              {"seed", optional_json(snapshot_.seed)},
              {"batch_size", optional_json(snapshot_.batch_size)},
              {"next_epoch", snapshot_.next_epoch},
              {"told_epoch", optional_json(snapshot_.told_epoch)},
              {"told_later", optional_json(snapshot_.told_later)},
              {"sample_seed", optional_json(snapshot_.sample_seed)},
              {"base_seed", optional_json(snapshot_.base_seed)},
              {"pass", pass_json(snapshot_.pass)},
              {"generator", blob_json(snapshot_.generator)},
              {"source", blob_json(snapshot_.source)},
              {"sampler_state", snapshot_.sampler_state}}
      .dump(-1, ' ', true);
} catch (const json::exception& error) {
  throw StateError(fmt::format(
      "the state of sampler {} or of a stream is no text: {}", snapshot_.sampler, error.what()));
}

StateDict StateDict::from_json(std::string_view text) {
  const json parsed = parse(text);
  Members members(parsed, "it");
  const std::uint64_t version = to_number(members.take("version"), "version");
  if (version != kVersion) {
    throw StateError(fmt::format(
        "this state has version {}, and this Forklift reads version {}", version, kVersion));
  }
  LoaderSnapshot out;
  out.is_iterable = to_bool(members.take("is_iterable"), "is_iterable");
  out.dataset_size = to_optional_number(members.take("dataset_size"), "dataset_size");
  out.sampler = to_text(members.take("sampler"), "sampler");
  out.seed = to_optional_number(members.take("seed"), "seed");
  out.batch_size = to_optional_number(members.take("batch_size"), "batch_size");
  out.next_epoch = to_number(members.take("next_epoch"), "next_epoch");
  out.told_epoch = to_optional_number(members.take("told_epoch"), "told_epoch");
  out.told_later = to_optional_number(members.take("told_later"), "told_later");
  out.sample_seed = to_optional_number(members.take("sample_seed"), "sample_seed");
  out.base_seed = to_optional_number(members.take("base_seed"), "base_seed");
  out.pass = to_pass(members.take("pass"));
  out.generator = to_blob(members.take("generator"), "generator");
  out.source = to_blob(members.take("source"), "source");
  out.sampler_state = to_text(members.take("sampler_state"), "sampler_state");
  members.expect_no_more();
  return StateDict(std::move(out));
}

}  // namespace forklift
