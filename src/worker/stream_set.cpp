// SPDX-License-Identifier: MIT
#include "worker/stream_set.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "sys/caught.hpp"

namespace forklift::worker {

void StreamSet::start_pass(std::size_t num_streams,
                           std::size_t passes_before,
                           StreamStates states) {
  reader_.passes_before = passes_before;
  streams_.clear();
  streams_.resize(num_streams);
  states_ = std::move(states);
  error_ = nullptr;
}

void StreamSet::fail(std::exception_ptr error, std::string_view stage) noexcept {
  error_ = std::move(error);
  stage_ = stage;
}

Stream& StreamSet::at(std::uint32_t number) {
  std::optional<Stream>& stream = streams_.at(number);
  if (!stream.has_value()) {
    stream.emplace();
    stream->info = info_of(number);
    stream->error = error_;
    stream->stage = stage_;
    if (error_ == nullptr) {
      begin(*stream);
    }
  }
  return *stream;
}

void StreamSet::begin(Stream& stream) const {
  stream.stage = "iterate";
  try {
    stream.stream = fetcher_->start(stream.info);
    if (stream.info.id < states_.size() && states_[stream.info.id].has_value()) {
      stream.stage = "restore";
      stream.stream->restore(*states_[stream.info.id]);
    }
  } catch (...) {
    stream.error = sys::caught();
    stream.stream.reset();
  }
}

}  // namespace forklift::worker
