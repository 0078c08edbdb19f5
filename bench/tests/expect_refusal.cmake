# SPDX-License-Identifier: MIT
# Runs PROGRAM with ARGUMENTS (separated by spaces) and wants a status that is not 0 and WORDS (a regular expression) on stderr.
separate_arguments(ARGUMENTS UNIX_COMMAND "${ARGUMENTS}")
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE errors)
if(NOT status MATCHES "^[12]$")
  message(FATAL_ERROR "status ${status} instead of 1 or 2\n${out}\n${errors}")
endif()
if(NOT errors MATCHES "${WORDS}")
  message(FATAL_ERROR "stderr has no '${WORDS}':\n${errors}")
endif()
