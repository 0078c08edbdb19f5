# SPDX-License-Identifier: MIT
# Instrumentation hangs on the library's own target: whatever links it inside this build has it too.

# Environment of every test, as NAME=VALUE. Messages of the system are compared as they are in the C locale.
set(forklift_test_environment "LC_ALL=C")

if(FORKLIFT_SANITIZER STREQUAL "asan")
  # Not vptr: it opens a pipe to look at an object, so it reports each one while a test has no descriptors left.
  set(forklift_sanitizer_flags
    -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # libtorch is not instrumented: a vector made there and grown here looks like an overflow.
  list(APPEND forklift_test_environment
    "ASAN_OPTIONS=detect_leaks=1:detect_container_overflow=0:detect_stack_use_after_return=1"
    "UBSAN_OPTIONS=print_stacktrace=1")
  set(suppressions "${PROJECT_SOURCE_DIR}/tests/support/lsan.supp")
  if(EXISTS "${suppressions}")
    list(APPEND forklift_test_environment "LSAN_OPTIONS=suppressions=${suppressions}:print_suppressions=0")
  endif()
elseif(FORKLIFT_SANITIZER STREQUAL "tsan")
  set(forklift_sanitizer_flags -fsanitize=thread -fno-omit-frame-pointer)
  # Workers are forked and start a thread of their own; by default the run time ends such a child.
  list(APPEND forklift_test_environment "TSAN_OPTIONS=die_after_fork=0:atexit_sleep_ms=0:halt_on_error=1:second_deadlock_stack=1")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(WARNING "g++'s ThreadSanitizer dies in a child of a threaded parent that starts a thread; use clang++")
  endif()
endif()

function(forklift_use_sanitizer target)
  if(NOT FORKLIFT_SANITIZER STREQUAL "none")
    target_compile_options(${target} PUBLIC "$<BUILD_INTERFACE:${forklift_sanitizer_flags}>")
    target_link_options(${target} PUBLIC "$<BUILD_INTERFACE:${forklift_sanitizer_flags}>")
    target_compile_definitions(${target} PUBLIC $<BUILD_INTERFACE:_GLIBCXX_ASSERTIONS>)
  else()
    target_compile_definitions(${target} PUBLIC $<BUILD_INTERFACE:$<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>>)
  endif()
endfunction()
