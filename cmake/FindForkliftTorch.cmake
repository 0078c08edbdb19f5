# SPDX-License-Identifier: MIT
# Finds libtorch and makes one imported target of it by hand: ForkliftTorch::torch.
#
# Looked at, in this order, and the first place that has libtorch is the one that counts:
#   1. FORKLIFT_TORCH_ROOT: the `torch` folder of a Python wheel, an unpacked libtorch, or a prefix such as /usr
#   2. build/venv-torch, where cmake/quickstart puts the wheel (only in Forklift's own build)
#   3. the `torch` package of Python3_EXECUTABLE, else of python3 on the PATH
#   4. the system
#
# Why not the TorchConfig.cmake that comes with it: the wheel's asks for a CUDA compiler, and where a second libtorch
# is installed it takes the headers of one and the library of the other. Here both come from one place, and the
# version in the headers is compared with the one in the library.
#
# Only libtorch_cpu and libc10 are linked. The CUDA half is added if it is there with all that it needs, unless
# FORKLIFT_WITH_CUDA is OFF; ON makes it a condition.
#
# Result: ForkliftTorch_FOUND, ForkliftTorch_VERSION, ForkliftTorch_ROOT, ForkliftTorch_CUDA, ForkliftTorch_WHY_NOT.

# Folders that may hold libtorch, best first.
function(_forklift_torch_places result)
  if(FORKLIFT_TORCH_ROOT)
    # A root that was asked for is never silently replaced by another.
    set(${result} "${FORKLIFT_TORCH_ROOT}" PARENT_SCOPE)
    return()
  endif()
  set(places)
  if(PROJECT_NAME STREQUAL "Forklift" AND PROJECT_IS_TOP_LEVEL)
    file(GLOB places "${PROJECT_SOURCE_DIR}/build/venv-torch/lib/python3*/site-packages/torch")
  endif()
  set(python "${Python3_EXECUTABLE}")
  if(NOT python)
    find_program(FORKLIFT_PYTHON NAMES python3 DOC "Python whose torch package may be used")
    mark_as_advanced(FORKLIFT_PYTHON)
    set(python "${FORKLIFT_PYTHON}")
  endif()
  if(python)
    # Only located, not imported: that takes seconds, and a wheel without its CUDA packages cannot be imported.
    execute_process(
      COMMAND "${python}" -c
        "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
      OUTPUT_VARIABLE place ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(place)
      list(APPEND places "${place}")
    endif()
  endif()
  set(${result} "${places};/usr/local;/usr" PARENT_SCOPE)
endfunction()

# The include folder and the two libraries below one root, or nothing.
function(_forklift_torch_look root)
  find_path(include torch/csrc/api/include/torch/version.h
    PATHS "${root}" PATH_SUFFIXES include NO_DEFAULT_PATH NO_CACHE)
  foreach(name torch_cpu c10)
    find_library(${name} ${name}
      PATHS "${root}" PATH_SUFFIXES lib "lib/${CMAKE_LIBRARY_ARCHITECTURE}" lib64 NO_DEFAULT_PATH NO_CACHE)
  endforeach()
  set(_torch_include "${include}" PARENT_SCOPE)
  set(_torch_cpu "${torch_cpu}" PARENT_SCOPE)
  set(_torch_c10 "${c10}" PARENT_SCOPE)
endfunction()

# The version in the headers. torch/version.h holds it, in newer releases by way of torch/headeronly/version.h.
function(_forklift_torch_header_version include result)
  set(text "")
  foreach(file torch/csrc/api/include/torch/version.h torch/headeronly/version.h)
    if(EXISTS "${include}/${file}")
      file(STRINGS "${include}/${file}" lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
      string(APPEND text "${lines};")
    endif()
  endforeach()
  set(parts)
  foreach(part MAJOR MINOR PATCH)
    if(text MATCHES "TORCH_VERSION_${part} +([0-9]+)")
      list(APPEND parts "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN parts "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# Whether the library is of that version: by its file name where that has one (libtorch_cpu.so.1.13.0), else by the
# version string that libtorch_cpu carries in its read-only data.
function(_forklift_torch_is_version library version result)
  file(REAL_PATH "${library}" real)
  if(real MATCHES "\\.so\\.([0-9.]+)$")
    string(FIND "${version}." "${CMAKE_MATCH_1}." at)
    set(status ${at})
  else()
    execute_process(COMMAND grep --quiet --text --null-data --line-regexp --fixed-strings "${version}" "${real}"
      RESULT_VARIABLE status)
  endif()
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The CUDA half beside libtorch_cpu, if the loader would find all that it needs: the wheel has these files also
# where its CUDA packages were left out.
function(_forklift_torch_cuda_half folder result why_not)
  set(${result} "" PARENT_SCOPE)
  set(half "${folder}/libtorch_cuda.so" "${folder}/libc10_cuda.so")
  foreach(library IN LISTS half)
    if(NOT EXISTS "${library}")
      set(${why_not} "${library} is not there" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  execute_process(COMMAND ldd "${folder}/libtorch_cuda.so" OUTPUT_VARIABLE needs ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(${why_not} "ldd could not read ${folder}/libtorch_cuda.so" PARENT_SCOPE)
  elseif(needs MATCHES "([^ \t\n]+) => not found")
    set(${why_not} "libtorch_cuda.so needs ${CMAKE_MATCH_1}, which is not installed" PARENT_SCOPE)
  else()
    set(${result} "${half}" PARENT_SCOPE)
  endif()
endfunction()

function(_forklift_torch_make_target)
  add_library(ForkliftTorch::torch INTERFACE IMPORTED GLOBAL)
  get_filename_component(folder "${_torch_cpu}" DIRECTORY)
  # Of an imported target these are system headers: their warnings are not ours.
  set_target_properties(ForkliftTorch::torch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_torch_include};${_torch_include}/torch/csrc/api/include"
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_LINK_LIBRARIES "${_torch_cpu};${_torch_c10}")
  if(_torch_cuda)
    # Nothing calls into the CUDA half by name; it registers itself when loaded.
    list(JOIN _torch_cuda "," half)
    set_property(TARGET ForkliftTorch::torch APPEND PROPERTY
      INTERFACE_LINK_OPTIONS "LINKER:--no-as-needed,${half},--as-needed")
  endif()
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    # CMake gives a build tree its rpath by itself; this also covers programs linked by other means.
    set_property(TARGET ForkliftTorch::torch APPEND PROPERTY INTERFACE_LINK_OPTIONS "LINKER:-rpath,${folder}")
  endif()
endfunction()

set(ForkliftTorch_VERSION "")
set(ForkliftTorch_ROOT "")
set(ForkliftTorch_CUDA FALSE)
set(ForkliftTorch_CUDA_WHY_NOT "FORKLIFT_WITH_CUDA is OFF")
set(_torch_cuda)
_forklift_torch_places(_torch_places)
string(JOIN ", " ForkliftTorch_WHY_NOT ${_torch_places})
string(PREPEND ForkliftTorch_WHY_NOT "no libtorch was found in ")

foreach(_torch_root IN LISTS _torch_places)
  _forklift_torch_look("${_torch_root}")
  if(_torch_include AND _torch_cpu AND _torch_c10)
    _forklift_torch_header_version("${_torch_include}" _torch_version)
    _forklift_torch_is_version("${_torch_cpu}" "${_torch_version}" _torch_agrees)
    if(_torch_agrees)
      set(ForkliftTorch_VERSION "${_torch_version}")
      set(ForkliftTorch_ROOT "${_torch_root}")
    else()
      set(ForkliftTorch_WHY_NOT
        "the headers in ${_torch_include} are of libtorch ${_torch_version}, the library ${_torch_cpu} is not")
    endif()
    break()
  endif()
endforeach()

if(ForkliftTorch_ROOT AND NOT FORKLIFT_WITH_CUDA STREQUAL "OFF")
  get_filename_component(_torch_folder "${_torch_cpu}" DIRECTORY)
  _forklift_torch_cuda_half("${_torch_folder}" _torch_cuda ForkliftTorch_CUDA_WHY_NOT)
  if(_torch_cuda)
    set(ForkliftTorch_CUDA TRUE)
  elseif(FORKLIFT_WITH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "FORKLIFT_WITH_CUDA is ON, but ${ForkliftTorch_CUDA_WHY_NOT}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ForkliftTorch
  REQUIRED_VARS ForkliftTorch_ROOT
  VERSION_VAR ForkliftTorch_VERSION
  REASON_FAILURE_MESSAGE "${ForkliftTorch_WHY_NOT}")

if(ForkliftTorch_FOUND AND NOT TARGET ForkliftTorch::torch)
  _forklift_torch_make_target()
endif()
