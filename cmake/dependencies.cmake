# SPDX-License-Identifier: MIT
include(GNUInstallDirs)

find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

# Random123 is a folder of headers and brings no package file.
find_path(FORKLIFT_RANDOM123_INCLUDE_DIR Random123/philox.h DOC "Folder that holds Random123/philox.h")
mark_as_advanced(FORKLIFT_RANDOM123_INCLUDE_DIR)
if(NOT FORKLIFT_RANDOM123_INCLUDE_DIR)
  message(FATAL_ERROR "Random123 was not found (Debian package librandom123-dev); "
    "set FORKLIFT_RANDOM123_INCLUDE_DIR to the folder that holds Random123/philox.h")
endif()

set(FORKLIFT_TORCH_FOUND FALSE)
if(NOT FORKLIFT_WITH_TORCH STREQUAL "OFF")
  find_package(ForkliftTorch MODULE)
  set(FORKLIFT_TORCH_FOUND ${ForkliftTorch_FOUND})
  if(FORKLIFT_WITH_TORCH STREQUAL "ON" AND NOT FORKLIFT_TORCH_FOUND)
    message(FATAL_ERROR "FORKLIFT_WITH_TORCH is ON, but ${ForkliftTorch_WHY_NOT}")
  endif()
endif()
if(FORKLIFT_WITH_CUDA STREQUAL "ON" AND NOT FORKLIFT_TORCH_FOUND)
  message(FATAL_ERROR "FORKLIFT_WITH_CUDA is ON, but it is the CUDA half of libtorch, which was not found or is off")
endif()

if(FORKLIFT_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
endif()
if(FORKLIFT_BUILD_EXAMPLES OR FORKLIFT_BUILD_BENCH OR FORKLIFT_ORACLE_PYTHON)
  find_package(CLI11 2.1 REQUIRED)
endif()
if(FORKLIFT_BUILD_BENCH)
  find_package(benchmark 1.7 REQUIRED)
endif()

# Compiling one file against libtorch takes about 1.3 GB; as many at once as the memory holds.
cmake_host_system_information(RESULT forklift_memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR forklift_torch_jobs "${forklift_memory_mib} / 1536")
if(forklift_torch_jobs LESS 1)
  set(forklift_torch_jobs 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS forklift_torch_compile=${forklift_torch_jobs})

# Links a program against the libtorch adapter. `cmake --build ... --target torch_programs` builds all such programs.
function(forklift_use_torch target)
  if(NOT TARGET torch_programs)
    add_custom_target(torch_programs)
  endif()
  add_dependencies(torch_programs ${target})
  target_link_libraries(${target} PRIVATE forklift::torch)
  set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE forklift_torch_compile)
endfunction()
