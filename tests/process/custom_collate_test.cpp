// SPDX-License-Identifier: MIT
// Samples of a type with a forklift_collate() of its own, in loaders of every kind. Semantics 5.1
// and 5.3.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"

#include <forklift/forklift.hpp>

namespace routes {

/// Stops of unequal number, which no rule can stack.
class Route {
 public:
  Route(std::int64_t first, std::size_t length) : stops_(length, first) {}
  [[nodiscard]] const std::vector<std::int64_t>& stops() const noexcept { return stops_; }

 private:
  std::vector<std::int64_t> stops_;
};

/// All stops one behind the other, and the length of each route.
struct Routes {
  forklift::Tensor stops;
  forklift::Tensor lengths;
};

Routes forklift_collate(std::span<const Route> routes, forklift::BatchWriter& slot) {
  std::vector<std::int64_t> all;
  Routes batch{{}, slot.empty({static_cast<std::int64_t>(routes.size())}, forklift::DType::i64)};
  const auto lengths = batch.lengths.data<std::int64_t>();
  for (std::size_t i = 0; i < routes.size(); ++i) {
    all.insert(all.end(), routes[i].stops().begin(), routes[i].stops().end());
    lengths[i] = static_cast<std::int64_t>(routes[i].stops().size());
  }
  batch.stops = forklift::Tensor::of(all);
  return batch;
}

/// A whole sample whose function refuses the number 2, and that can be delivered as it is.
struct Ticket {
  std::int64_t number;
};

std::vector<std::string> forklift_collate(std::span<const Ticket> tickets) {
  std::vector<std::string> texts;
  for (const Ticket& ticket : tickets) {
    if (ticket.number == 2) {
      throw std::domain_error("ticket 2 is void");
    }
    texts.push_back("no. " + std::to_string(ticket.number));
  }
  return texts;
}

}  // namespace routes

namespace forklift {
namespace {

using routes::Route;
using routes::Routes;
using routes::Ticket;
using Texts = std::vector<std::string>;

class CustomCollate : public test_support::LeavesNothing {};

class Trips {
 public:
  static constexpr std::size_t size() { return 5; }
  std::pair<Route, std::int64_t> get(std::size_t index) const {
    const auto number = static_cast<std::int64_t>(index);
    return {Route(number, index), -number};
  }
};

class Tickets {
 public:
  explicit Tickets(std::int64_t first) : first_(first) {}
  static constexpr std::size_t size() { return 3; }
  Ticket get(std::size_t index) const { return {first_ + static_cast<std::int64_t>(index)}; }

 private:
  std::int64_t first_;
};

std::vector<std::int64_t> numbers(const Tensor& tensor) {
  const auto values = tensor.data<const std::int64_t>();
  return {values.begin(), values.end()};
}

DataLoaderOptions options_of(const test_support::LoadingMode& mode,
                             std::optional<Count> batch_size) {
  DataLoaderOptions options{.batch_size = batch_size};
  mode.apply(options);
  return options;
}

TEST_F(CustomCollate, is_done_by_workers_of_every_kind) {
  struct Batch {
    Routes routes;
    Tensor numbers;
  };
  for (const test_support::LoadingMode& mode : test_support::all_loading_modes()) {
    SCOPED_TRACE(mode.text());
    DataLoader<Trips, Batch> loader(Trips(), options_of(mode, 2));
    std::vector<std::int64_t> stops;
    std::vector<std::int64_t> lengths;
    std::vector<std::int64_t> others;
    for (const Batch& batch : loader) {
      for (const auto& [from, to] : {std::pair(&batch.routes.stops, &stops),
                                     std::pair(&batch.routes.lengths, &lengths),
                                     std::pair(&batch.numbers, &others)}) {
        const auto values = numbers(*from);
        to->insert(to->end(), values.begin(), values.end());
      }
    }
    EXPECT_EQ(stops, (std::vector<std::int64_t>{1, 2, 2, 3, 3, 3, 4, 4, 4, 4}));
    EXPECT_EQ(lengths, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(others, (std::vector<std::int64_t>{0, -1, -2, -3, -4}));
  }
}

TEST_F(CustomCollate, that_throws_stands_in_place_of_its_batch) {
  for (const test_support::LoadingMode& mode : test_support::all_loading_modes()) {
    SCOPED_TRACE(mode.text());
    DataLoader loader(Tickets(1), options_of(mode, 1));
    auto batch = loader.begin();
    EXPECT_EQ(*batch, Texts{"no. 1"});
    ++batch;
    const std::string message =
        test_support::message_of<WorkerError>([&] { static_cast<void>(*batch); });
    EXPECT_NE(message.find("ticket 2 is void"), std::string::npos) << message;
    ++batch;
    EXPECT_EQ(*batch, Texts{"no. 3"});
  }
}

TEST_F(CustomCollate, is_given_one_value_without_batches_unless_samples_come_as_they_are) {
  for (const test_support::LoadingMode& mode : test_support::all_loading_modes()) {
    SCOPED_TRACE(mode.text());
    DataLoader collated(Tickets(4), options_of(mode, std::nullopt));
    DataLoader<Tickets, Ticket> as_they_are(Tickets(1), options_of(mode, std::nullopt));
    Texts texts;
    for (const Texts& one : collated) {
      texts.insert(texts.end(), one.begin(), one.end());
    }
    std::int64_t sum = 0;
    for (const Ticket& ticket : as_they_are) {
      sum += ticket.number;
    }
    EXPECT_EQ(texts, (Texts{"no. 4", "no. 5", "no. 6"}));
    EXPECT_EQ(sum, 6);
  }
}

class TicketsInBulk {
 public:
  static constexpr std::size_t size() { return 3; }
  std::vector<Ticket> get_batch(std::span<const std::size_t> indices) const {
    std::vector<Ticket> tickets;
    for (const std::size_t index : indices) {
      tickets.push_back({static_cast<std::int64_t>(index) + 10});
    }
    return tickets;
  }
};

class TicketStream {
 public:
  std::vector<Ticket> iterate(const WorkerInfo& /*worker*/) const { return {{10}, {11}, {12}}; }
};

TEST_F(CustomCollate, takes_what_a_bulk_getter_and_a_stream_give) {
  const auto texts_of = [](auto loader) {
    std::vector<Texts> batches;
    for (const Texts& batch : loader) {
      batches.push_back(batch);
    }
    return batches;
  };
  const std::vector<Texts> wanted{{"no. 10", "no. 11"}, {"no. 12"}};
  const DataLoaderOptions options{.batch_size = 2, .num_workers = 1};

  EXPECT_EQ(texts_of(DataLoader(TicketsInBulk(), options)), wanted);
  EXPECT_EQ(texts_of(DataLoader(TicketStream(), options)), wanted);
}

TEST_F(CustomCollate, gives_way_to_a_collate_fn) {
  DataLoader loader(Tickets(2), {.batch_size = 3}, [](const std::vector<Ticket>& tickets) {
    return tickets.front().number;
  });

  EXPECT_EQ(*loader.begin(), 2);
}

}  // namespace
}  // namespace forklift
