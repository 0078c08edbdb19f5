# SPDX-License-Identifier: MIT

if(FORKLIFT_CLANG_TIDY)
  find_program(FORKLIFT_CLANG_TIDY_PROGRAM NAMES clang-tidy-14 clang-tidy REQUIRED)
  mark_as_advanced(FORKLIFT_CLANG_TIDY_PROGRAM)
endif()

function(forklift_use_clang_tidy target)
  if(FORKLIFT_CLANG_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${FORKLIFT_CLANG_TIDY_PROGRAM};--quiet")
  endif()
endfunction()
