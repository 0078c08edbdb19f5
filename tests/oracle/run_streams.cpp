// SPDX-License-Identifier: MIT
// Iterable datasets, as those of torch_datasets.py.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "oracle/drive.hpp"
#include "oracle/numbers.hpp"
#include "oracle/runs.hpp"

#include <forklift/forklift.hpp>

namespace oracle {
namespace {

using Values = std::vector<std::int64_t>;
using ValuesOf = Values (*)(std::int64_t size, std::int64_t worker, std::int64_t workers);

Values count(std::int64_t first, std::int64_t end, std::int64_t step) {
  Values values;
  for (std::int64_t value = first; value < end; value += step) {
    values.push_back(value);
  }
  return values;
}

Values whole(std::int64_t size, std::int64_t /*worker*/, std::int64_t /*workers*/) {
  return count(0, size, 1);
}
Values shared_out(std::int64_t size, std::int64_t worker, std::int64_t workers) {
  return count(worker, size, workers);
}
Values shared_out_behind(std::int64_t size, std::int64_t worker, std::int64_t workers) {
  return count(200 + worker, 200 + size / 2, workers);
}
Values uneven(std::int64_t size, std::int64_t worker, std::int64_t /*workers*/) {
  return count(100 * worker, 100 * worker + size / (worker + 1), 1);
}

/// Gives `values_of(size, worker, workers)` in each worker; goes on behind an error.
template <ValuesOf values_of>
class Stream {
 public:
  class Cursor {
   public:
    Cursor(Values values, const std::set<std::int64_t>& failing)
        : values_(std::move(values)),
          failing_(failing) {}
    std::optional<std::int64_t> next() {
      return next_ < values_.size() ? std::optional(check(values_[next_++], failing_))
                                    : std::nullopt;
    }

   private:
    Values values_;
    std::set<std::int64_t> failing_;
    std::size_t next_ = 0;
  };

  explicit Stream(const Combination& c) : size_(c.size), failing_(fails(c)) {}
  [[nodiscard]] Cursor iterate(const forklift::WorkerInfo& worker) const {
    return Cursor(values_of(size_,
                            static_cast<std::int64_t>(worker.id),
                            static_cast<std::int64_t>(worker.num_workers)),
                  failing_);
  }

 private:
  std::int64_t size_;
  std::set<std::int64_t> failing_;
};

/// The values of a stream as an input range, which is over after an error.
class Range {
 public:
  class Iterator {
   public:
    using value_type = std::int64_t;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(Range& range) : range_(&range) {}
    std::int64_t operator*() const {
      return check(range_->values_[range_->next_], range_->failing_);
    }
    Iterator& operator++() {
      ++range_->next_;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& iterator, std::default_sentinel_t /*end*/) {
      return iterator.is_at_end();
    }

   private:
    [[nodiscard]] bool is_at_end() const { return range_->next_ == range_->values_.size(); }

    Range* range_;
  };

  Range(Values values, std::set<std::int64_t> failing)
      : values_(std::move(values)),
        failing_(std::move(failing)) {}
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

 private:
  Values values_;
  std::set<std::int64_t> failing_;
  std::size_t next_ = 0;
};

class Ranges {
 public:
  explicit Ranges(const Combination& c) : size_(c.size), failing_(fails(c)) {}
  [[nodiscard]] Range iterate(const forklift::WorkerInfo& worker) const {
    return {shared_out(size_,
                       static_cast<std::int64_t>(worker.id),
                       static_cast<std::int64_t>(worker.num_workers)),
            failing_};
  }

 private:
  std::int64_t size_;
  std::set<std::int64_t> failing_;
};

class NoStart {
 public:
  explicit NoStart(const Combination& /*c*/) {}
  [[nodiscard]] Values iterate(const forklift::WorkerInfo& /*worker*/) const {
    throw std::domain_error("bad start");
  }
};

/// With a length.
template <class D>
class Claiming : public D {
 public:
  Claiming(const Combination& c, std::int64_t claims) : D(c), claims_(claims) {}
  [[nodiscard]] std::int64_t size() const { return claims_; }

 private:
  std::int64_t claims_;
};

template <class D>
nlohmann::json run(const Combination& c) {
  if (c.claims.has_value()) {
    return drive_dataset(c, [&](const Seeded& /*seeded*/, const auto& /*warn*/) {
      return Claiming<D>(c, *c.claims);
    });
  }
  return drive_dataset(c, [&](const Seeded& /*seeded*/, const auto& /*warn*/) { return D(c); });
}

using First = Stream<shared_out>;
using Second = Stream<shared_out_behind>;

nlohmann::json run_chain(const Combination& c) {
  Combination unfailing = c;
  unfailing.fail.clear();
  if (c.claims.has_value()) {
    return drive_dataset(c, [&](const Seeded& /*seeded*/, const auto& /*warn*/) {
      return forklift::ChainDataset(Claiming<First>(c, *c.claims),
                                    Claiming<Second>(unfailing, *c.claims / 2));
    });
  }
  return drive_dataset(c, [&](const Seeded& /*seeded*/, const auto& /*warn*/) {
    return forklift::ChainDataset(First(c), Second(unfailing));
  });
}

}  // namespace

Runs stream_runs() {
  return {{"stream", run<Stream<whole>>},
          {"sharded", run<Stream<shared_out>>},
          {"uneven", run<Stream<uneven>>},
          {"range", run<Ranges>},
          {"no_start", run<NoStart>},
          {"chain", run_chain}};
}

}  // namespace oracle
