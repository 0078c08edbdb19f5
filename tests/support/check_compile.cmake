# SPDX-License-Identifier: MIT
# Compiles SOURCE with COMPILER, syntax only. EXPECTED: `accepted`, or `refused` with one error: a sentence that begins
# with "Forklift:" and stands in the comment `// expects: ...` of the source.
cmake_minimum_required(VERSION 3.25)

execute_process(
  COMMAND "${COMPILER}" -std=c++20 -fsyntax-only -fno-diagnostics-color "-I${INCLUDE}" "${SOURCE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)

if(EXPECTED STREQUAL "accepted")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} does not compile:\n${output}")
  endif()
  return()
endif()

if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, but it must not")
endif()
# A semicolon in a message must not look like the end of a list element.
string(REPLACE ";" "," output "${output}")
string(REGEX MATCHALL "[^\n]*error: [^\n]*" errors "${output}")
list(LENGTH errors num_errors)
if(NOT num_errors EQUAL 1)
  message(FATAL_ERROR "${SOURCE} gives ${num_errors} errors instead of one:\n${output}")
endif()
file(STRINGS "${SOURCE}" expects REGEX "^// expects: ")
string(REGEX REPLACE "^// expects: " "" expects "${expects}")
string(FIND "${errors}" "Forklift: " begin)
string(FIND "${errors}" "${expects}" found)
if(begin EQUAL -1 OR found EQUAL -1 OR expects STREQUAL "")
  message(FATAL_ERROR "${SOURCE}: expected an error with 'Forklift: ' and '${expects}', got:\n${errors}")
endif()
