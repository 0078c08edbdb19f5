// SPDX-License-Identifier: MIT
#include "engine/diagnostics.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace forklift::engine {
namespace {

TEST(Diagnostics, gives_each_kind_of_warning_once) {
  std::vector<std::string> texts;
  Diagnostics diagnostics([&](std::string_view text) { texts.emplace_back(text); });

  diagnostics.warn(Warning::kManyWorkers, "many");
  diagnostics.warn(Warning::kManyWorkers, "many again");
  diagnostics.warn(Warning::kWorkerKilled, "killed");

  EXPECT_EQ(texts, (std::vector<std::string>{"many", "killed"}));
}

TEST(Diagnostics, writes_a_line_on_stderr_without_a_callback) {
  Diagnostics diagnostics(nullptr);
  testing::internal::CaptureStderr();

  diagnostics.warn(Warning::kManyWorkers, "many workers");
  diagnostics.warn(Warning::kManyWorkers, "many workers");

  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_NE(written.find("many workers\n"), std::string::npos) << written;
  EXPECT_EQ(written.find('\n'), written.size() - 1);
}

TEST(Diagnostics, writes_nothing_where_a_callback_takes_the_warning) {
  Diagnostics diagnostics([](std::string_view) {});
  testing::internal::CaptureStderr();

  diagnostics.warn(Warning::kWorkerKilled, "killed");

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Diagnostics, lets_an_exception_of_the_callback_through_and_does_not_repeat_it) {
  Diagnostics diagnostics([](std::string_view) { throw std::runtime_error("no warnings please"); });

  EXPECT_THROW(diagnostics.warn(Warning::kManyWorkers, "many"), std::runtime_error);
  EXPECT_NO_THROW(diagnostics.warn(Warning::kManyWorkers, "many"));
}

}  // namespace
}  // namespace forklift::engine
