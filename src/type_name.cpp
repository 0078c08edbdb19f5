// SPDX-License-Identifier: MIT
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <typeinfo>

#include <forklift/detail/type_name.hpp>

namespace forklift::detail {
namespace {

struct Free {
  void operator()(char* text) const noexcept { std::free(text); }  // NOLINT: as __cxa_demangle asks
};

}  // namespace

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, Free> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status));
  return name != nullptr ? name.get() : type.name();
}

}  // namespace forklift::detail
