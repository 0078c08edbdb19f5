// SPDX-License-Identifier: MIT
#include "oracle/value.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

#include <forklift/dtype.hpp>

namespace oracle {
namespace {

template <class T>
nlohmann::json elements_of(const forklift::Tensor& tensor) {
  auto out = nlohmann::json::array();
  for (const T element : tensor.data<const T>()) {
    out.push_back(element);
  }
  return out;
}

nlohmann::json data_of(const forklift::Tensor& tensor) {
  switch (tensor.dtype()) {
    case forklift::DType::boolean:
      return elements_of<bool>(tensor);
    case forklift::DType::i32:
      return elements_of<std::int32_t>(tensor);
    case forklift::DType::i64:
      return elements_of<std::int64_t>(tensor);
    case forklift::DType::f32:
      return elements_of<float>(tensor);
    case forklift::DType::f64:
      return elements_of<double>(tensor);
    default:
      throw std::logic_error("no dataset of the oracle has elements of the type " +
                             std::string(forklift::name(tensor.dtype())));
  }
}

}  // namespace

nlohmann::json value_of(const forklift::Tensor& tensor) {
  auto shape = nlohmann::json::array();
  for (const std::int64_t size : tensor.shape().sizes()) {
    shape.push_back(size);
  }
  return {{"dtype", forklift::name(tensor.dtype())},
          {"shape", std::move(shape)},
          {"data", data_of(tensor)}};
}

}  // namespace oracle
