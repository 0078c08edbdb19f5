# SPDX-License-Identifier: MIT

# Runs the script CHECK with the arguments that are given, and compares the outcome (passes or fails) and the words. `page`
# is what it read, for the message.
function(expect_check outcome words page)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" ${ARGN} -P "${CHECK}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(got passes)
  if(NOT status EQUAL 0)
    set(got fails)
  endif()
  # CMake wraps its messages.
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${words}" found)
  if(NOT got STREQUAL outcome OR found LESS 0)
    message(FATAL_ERROR "expected that it ${outcome} with '${words}', it ${got}:\n${output}\n${page}")
  endif()
endfunction()
