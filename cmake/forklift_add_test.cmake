# SPDX-License-Identifier: MIT
include(GoogleTest)

# What all tests are compiled with.
function(forklift_compile_as_test target)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE forklift::core)
  forklift_set_warnings(${target})
  # g++ 12 at -O3 sees null pointers in its own containers once GoogleTest's macros are expanded around them.
  target_compile_options(${target} PRIVATE -Wno-null-dereference)
endfunction()

# forklift_add_test(NAME n LABEL unit SOURCES a.cpp ... [LIBS ...] [TIMEOUT seconds] [TORCH] [NO_GTEST])
#
# One executable; each of its GoogleTest cases is a ctest entry of its own, thus a process of its own, called
# LABEL/Suite.case. With NO_GTEST the executable is one entry, LABEL/n, and exit status 77 means skipped.
# TORCH: built against libtorch, left out without it. Cases of the labels `process` and `regress` run alone on the machine.
function(forklift_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "TORCH;NO_GTEST" "NAME;LABEL;TIMEOUT" "SOURCES;LIBS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_LABEL OR NOT arg_SOURCES)
    message(FATAL_ERROR "forklift_add_test(${ARGN}): NAME, LABEL and SOURCES are needed, '${arg_UNPARSED_ARGUMENTS}' is unknown")
  endif()
  if(arg_TORCH AND NOT FORKLIFT_TORCH_FOUND)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  set(run_alone FALSE)
  if(arg_LABEL MATCHES "^(process|regress)$")
    set(run_alone TRUE)
  endif()

  add_executable(${arg_NAME} ${arg_SOURCES})
  forklift_compile_as_test(${arg_NAME})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS})
  forklift_use_clang_tidy(${arg_NAME})
  if(arg_TORCH)
    forklift_use_torch(${arg_NAME})
  elseif(NOT arg_NO_GTEST AND TARGET forklift_test_headers)
    target_precompile_headers(${arg_NAME} REUSE_FROM forklift_test_headers)
  endif()

  set(properties LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${run_alone})
  if(arg_NO_GTEST)
    add_test(NAME ${arg_LABEL}/${arg_NAME} COMMAND ${arg_NAME})
    set_tests_properties(${arg_LABEL}/${arg_NAME} PROPERTIES
      ${properties} SKIP_RETURN_CODE 77 ENVIRONMENT "${forklift_test_environment}")
    return()
  endif()
  target_link_libraries(${arg_NAME} PRIVATE GTest::gtest_main)
  # The list is expanded three times on its way into the file that ctest reads: 2^3 - 1 escapes.
  string(REPEAT "\\" 7 escapes)
  string(REPLACE ";" "${escapes};" environment "${forklift_test_environment}")
  gtest_discover_tests(${arg_NAME}
    TEST_PREFIX ${arg_LABEL}/ DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES ${properties} ENVIRONMENT "${environment}")
endfunction()

# forklift_add_compile_test(NAME ctest-name LABEL unit SOURCE a.cpp EXPECTED accepted|refused)
#
# A program that is only compiled. `refused`: with one error, which is Forklift's own sentence; see check_compile.cmake.
function(forklift_add_compile_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LABEL;SOURCE;EXPECTED" "")
  add_test(
    NAME ${arg_NAME}
    COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${CMAKE_CXX_COMPILER}" "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
            "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE}" "-DEXPECTED=${arg_EXPECTED}"
            -P "${PROJECT_SOURCE_DIR}/tests/support/check_compile.cmake")
  set_tests_properties(${arg_NAME} PROPERTIES LABELS ${arg_LABEL} TIMEOUT 120 ENVIRONMENT "LC_ALL=C")
endfunction()
