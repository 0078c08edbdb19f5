# SPDX-License-Identifier: MIT
# cmake -DCHECK=check_rules.cmake -DFOLDER=empty-folder -P check_rules_test.cmake
#
# check_rules.cmake passes a whole page and fails for each gap that one can have.

cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/expect_check.cmake")

file(REMOVE_RECURSE "${FOLDER}")
file(WRITE "${FOLDER}/tests.txt" "unit/A.works\nunit/A.works_too\nunit/Kind/A.each/1-byte object <00>\ntorch/B.works\n")

file(WRITE "${FOLDER}/sources/unit/a_test.cpp"
  "// Of A. Semantics 1.1,\n// 3.10 and 2.\nTEST(A, works) {}\n// Not semantics 4.\nTEST_F(A, works_too) {}\n")

# Runs the check on one page, with more arguments, and compares the outcome and the words.
function(expect outcome words rows)
  file(WRITE "${FOLDER}/page.md" "# Title\n\n| rule | proved by |\n| --- | --- |\n${rows}")
  expect_check(${outcome} "${words}" "${rows}" "-DPAGE=${FOLDER}/page.md" "-DTESTS=${FOLDER}/tests.txt" ${ARGN})
endfunction()

set(sections "-DSECTIONS=1.1,2")
set(good "| 1.1.1 one; [two] | `unit/A.works`, `unit/A.works_too` |\n| 2.1 three | no meaning: it is a bool |\n")

expect(passes "2 rows, each with a test or a reason" "${good}" ${sections})
expect(passes "1.1.1 one; [two] -> `unit/A.works`, `unit/A.works_too`" "${good}" ${sections})
expect(passes "2 rows" "${good}| ---- | ---- |\n")
expect(passes "3 rows" "${good}| 1.1.2 four | `unit/Kind/A.each` |\n" ${sections})
expect(passes "3 rows" "${good}| later | comes with pinning |\n")
expect(fails "1.1.2 four: has neither a test nor a reason" "${good}| 1.1.2 four | nobody knows |\n" ${sections})
expect(fails "1.1.2 four: has neither a test nor a reason" "${good}| 1.1.2 four | no meaning: |\n" ${sections})
expect(fails "1.1.2 four: has neither a test nor a reason" "| 1.1.2 four |  |\n${good}" ${sections})
expect(fails "1.1.2 four: there is no test unit/A.work" "${good}| 1.1.2 four | `unit/A.works`, `unit/A.work` |\n")
expect(fails "1.1.2 four: there is no test unit/B.works" "| 1.1.2 four | `unit/B.works` |\n${good}" ${sections})
expect(passes "3 rows" "${good}| 1.1.2 four | `torch/B.gone` (libtorch) |\n" ${sections})
expect(passes "3 rows" "${good}| 1.1.2 four | `torch/B.works` (libtorch) |\n" ${sections} -DTORCH=ON)
expect(fails "there is no test torch/B.gone" "${good}| 1.1.2 four | `torch/B.gone` (libtorch) |\n" -DTORCH=ON)
expect(fails "there is no test torch/B.gone" "${good}| 1.1.2 four | `torch/B.gone` |\n" ${sections})
expect(fails "section 2.2 has no row" "${good}" -DSECTIONS=1.1,2,2.2)
expect(fails "section 1 has no row" "${good}" -DSECTIONS=1,1.1,2)
expect(fails "four: does not begin with a section" "${good}| four | `unit/A.works` |\n" ${sections})
expect(fails "2.1 three: comes twice" "${good}| 2.1 three | `unit/A.works` |\n" ${sections})
expect(fails "no row was found" "nothing\n")

# The source of a test names the section.
set(with_sources ${sections} "-DSOURCES=${FOLDER}/sources")
expect(passes "2 rows" "${good}" ${with_sources})
expect(passes "3 rows" "${good}| 2.2 four | `unit/A.works` |\n" ${with_sources})
expect(passes "3 rows" "${good}| 3.10.1 four | `unit/A.works` |\n" ${with_sources})
expect(fails "1.2.1 four: unit/a_test.cpp has the test unit/A.works and does not name Semantics 1.2"
  "${good}| 1.2.1 four | `unit/A.works` |\n" ${with_sources})
expect(fails "does not name Semantics 3.1" "${good}| 3.1.1 four | `unit/A.works` |\n" ${with_sources})
expect(fails "does not name Semantics 5" "${good}| 5.1 four | `unit/A.works_too` |\n" ${with_sources})
