# SPDX-License-Identifier: MIT

# Those of the listed files that exist. Only for the time in which files are still being written.
function(forklift_existing_sources result)
  set(found)
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE path)
    if(EXISTS "${path}")
      list(APPEND found "${file}")
    else()
      message(STATUS "Not there yet: ${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
