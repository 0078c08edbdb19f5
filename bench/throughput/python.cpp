// SPDX-License-Identifier: MIT
#include "throughput/python.hpp"

#include <cstdlib>

namespace bench {

std::filesystem::path python_interpreter(const std::filesystem::path& asked) {
  if (!asked.empty()) {
    return asked;
  }
  // Read while this process has one thread.
  if (const char* named = std::getenv("FORKLIFT_PYTHON"); named != nullptr && *named != '\0') {
    return named;
  }
  const auto venv = bench_folder().parent_path() / "build" / "venv-python" / "bin" / "python";
  std::error_code ignored;  // what cannot be looked at cannot be run
  return std::filesystem::exists(venv, ignored) ? venv : std::filesystem::path("python3");
}

}  // namespace bench
