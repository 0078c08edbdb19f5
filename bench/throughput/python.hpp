// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace bench {

/// The folder of Forklift's sources that the Python rivals lie in; set when the build was
/// configured.
[[nodiscard]] std::filesystem::path bench_folder();

/// The interpreter to use: `asked` unless empty, the variable FORKLIFT_PYTHON, build/venv-python,
/// python3.
[[nodiscard]] std::filesystem::path python_interpreter(const std::filesystem::path& asked);

}  // namespace bench
