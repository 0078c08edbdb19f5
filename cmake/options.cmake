# SPDX-License-Identifier: MIT
# What a user may choose. Everything here is shown again by the summary at the end of configure.

option(FORKLIFT_BUILD_TESTS "Build the test suite" ${PROJECT_IS_TOP_LEVEL})
option(FORKLIFT_BUILD_BENCH "Build forklift-throughput and the micro-benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(FORKLIFT_BUILD_EXAMPLES "Build the example programs" ${PROJECT_IS_TOP_LEVEL})
option(FORKLIFT_INSTALL "Make the install rules" ${PROJECT_IS_TOP_LEVEL})
option(FORKLIFT_WARNINGS_AS_ERRORS "Stop at the first compiler warning in Forklift's own code" OFF)
option(FORKLIFT_CLANG_TIDY "Run clang-tidy with every compilation" OFF)

# A cache entry with a closed set of values; anything else is an error at once, not a silent default.
function(forklift_choice name default description)
  set(${name} "${default}" CACHE STRING "${description} (${ARGN})")
  set_property(CACHE ${name} PROPERTY STRINGS ${ARGN})
  if(NOT "${${name}}" IN_LIST ARGN)
    list(JOIN ARGN ", " allowed)
    message(FATAL_ERROR "${name} is '${${name}}'; allowed are: ${allowed}")
  endif()
endfunction()

forklift_choice(FORKLIFT_WITH_TORCH AUTO "libtorch adapter: where found, required, or not at all" AUTO ON OFF)
forklift_choice(FORKLIFT_WITH_CUDA AUTO
  "CUDA half of libtorch for forklift::torch: where usable, required, or not at all" AUTO ON OFF)
forklift_choice(FORKLIFT_SANITIZER none "Instrumentation; asan includes ubsan" none asan tsan)
set(FORKLIFT_TORCH_ROOT "" CACHE PATH
  "The torch folder of a Python wheel, an unpacked libtorch, or a prefix such as /usr (empty: search)")
set(FORKLIFT_ORACLE_PYTHON "" CACHE FILEPATH
  "A Python that can import torch, for the tests that compare with it (empty: there are none)")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()
