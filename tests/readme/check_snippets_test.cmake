# SPDX-License-Identifier: MIT
# cmake -DCHECK=check_snippets.cmake -DFOLDER=empty-folder -P check_snippets_test.cmake
#
# check_snippets.cmake passes equal texts and fails for each way in which a page can go stale.

cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/expect_check.cmake")

file(REMOVE_RECURSE "${FOLDER}")
file(WRITE "${FOLDER}/code.cpp"
  "int a;\n  // [readme:part]\n  if (b[0]) {\n    c(\"\\n;\");\n  }\n  // [/readme:part]\n// [readme:top]\nint d;\n// [/readme:top]\n")
set(good "<!-- snippet: code.cpp part -->\n```cpp\nif (b[0]) {\n  c(\"\\n;\");\n}\n```\n")

# Runs the check on one page and compares the outcome and the words.
function(expect outcome words page)
  file(WRITE "${FOLDER}/README.md" "# Title\n\n${page}")
  expect_check(${outcome} "${words}" "${page}" "-DPAGE=${FOLDER}/README.md" "-DROOT=${FOLDER}")
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
