// SPDX-License-Identifier: MIT
#pragma once

/// Forklift for programs that use libtorch: samples and batches may hold torch::Tensor.
/// Works with the newest libtorch and with 1.13.1. There is no namespace forklift::torch: it would
/// hide ::torch.
#include <forklift/forklift.hpp>
#include <forklift/torch/tensor_adapter.hpp>
