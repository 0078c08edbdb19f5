// SPDX-License-Identifier: MIT
#pragma once

#include <forklift/detail/column.hpp>
#include <forklift/detail/custom_column.hpp>
#include <forklift/detail/leaf_columns.hpp>
#include <forklift/detail/nested_columns.hpp>

/// Samples -> slot, one sample after the other: each row goes to its place in the slot and the
/// sample is dropped before the next one is read, but for values of types with a
/// forklift_collate(), which are kept for it. The first sample decides dtypes, shapes, lengths and
/// keys.
