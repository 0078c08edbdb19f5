// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <forklift/tensor.hpp>

namespace forklift::datasets {

/// Reads the one array of an idx file, plain or gzipped (told apart by the first bytes, not by the
/// name), into memory of its own and the byte order of this machine.
///
/// Shapes: as the file says, 1 to Shape::kMaxDims dimensions; u8, i8, i16, i32, f32 or f64.
/// The header is believed only as far as the file could hold what it promises, so a damaged one
/// does not make the reader ask for absurd memory.
/// Errors: SystemError when the file cannot be opened or read; DataError for a wrong magic number,
///         sizes that the file cannot hold, a file that ends early or late, a damaged gzip stream,
///         or something that is not a regular file.
/// Thread: any.
/// Source: the idx format as described with the MNIST database; RFC 1952 for gzip.
[[nodiscard]] Tensor read_idx(const std::filesystem::path& file);

}  // namespace forklift::datasets
