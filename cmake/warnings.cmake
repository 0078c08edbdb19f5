# SPDX-License-Identifier: MIT

set(forklift_warnings
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Wcast-align -Woverloaded-virtual -Wnull-dereference -Wformat=2)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # A literal + std::string is reported inside the standard library (GCC bug 105651, mended in 13).
  list(APPEND forklift_warnings -Wno-restrict)
endif()

# Warnings for one of our own targets, never for its users.
function(forklift_set_warnings target)
  target_compile_options(${target} PRIVATE ${forklift_warnings})
  if(FORKLIFT_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# The library has no globals that need a constructor or a destructor; only clang can check that.
# Tests cannot promise it: each GoogleTest case is such a global.
function(forklift_set_library_warnings target)
  forklift_set_warnings(${target})
  target_compile_options(
    ${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wglobal-constructors -Wexit-time-destructors>)
endfunction()
