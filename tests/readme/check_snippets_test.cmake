# SPDX-License-Identifier: MIT
# cmake -DCHECK=check_snippets.cmake -DFOLDER=empty-folder -P check_snippets_test.cmake
#
# check_snippets.cmake passes equal texts and fails for each way in which a page can go stale.

cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${FOLDER}")
file(WRITE "${FOLDER}/code.cpp"
  "int a;\n  // [readme:part]\n  if (b[0]) {\n    c(\"\\n;\");\n  }\n  // [/readme:part]\n// [readme:top]\nint d;\n// [/readme:top]\n")
set(good "<!-- snippet: code.cpp part -->\n```cpp\nif (b[0]) {\n  c(\"\\n;\");\n}\n```\n")

# Runs the check on one page and compares the outcome and the words.
function(expect outcome words page)
  file(WRITE "${FOLDER}/README.md" "# Title\n\n${page}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DPAGE=${FOLDER}/README.md" "-DROOT=${FOLDER}" -P "${CHECK}"
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

string(REPLACE "b[0]" "b[1]" changed "${good}")
string(REPLACE "part -->" "other -->" unknown "${good}")
string(REPLACE "code.cpp part" "gone.cpp part" gone "${good}")
string(REPLACE "<!-- snippet: code.cpp part -->\n" "" unmarked "${good}")
string(REPLACE "}\n```" "}\n" open "${good}")

expect(passes "1 snippets are equal" "${good}")
expect(passes "1 snippets are equal" "<!-- snippet: code.cpp top -->\n```cpp\nint d;\n```\n")
expect(passes "2 snippets are equal" "${good}\n```sh\nls\n```\n\n${good}")
expect(fails "differs from code.cpp" "${changed}")
expect(fails "no markers for snippet other" "${unknown}")
expect(fails "which does not exist" "${gone}")
expect(fails "does not say which snippet it is" "${good}\n${unmarked}")
expect(fails "not closed" "${open}")
expect(fails "no snippet was found" "nothing\n")
