# SPDX-License-Identifier: MIT
# Library, public headers, CMake package `Forklift` (components core, torch) and pkg-config file `forklift`.

if(NOT FORKLIFT_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)

set(forklift_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Forklift")

# The target forklift::torch is not exported: the package makes it where it is used, with the libtorch found there.
install(TARGETS forklift EXPORT ForkliftTargets FILE_SET HEADERS)
install(EXPORT ForkliftTargets NAMESPACE forklift:: DESTINATION "${forklift_package_dir}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/ForkliftConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/ForkliftConfig.cmake" INSTALL_DESTINATION "${forklift_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ForkliftConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/ForkliftConfig.cmake"
  "${PROJECT_BINARY_DIR}/ForkliftConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindForkliftTorch.cmake"
  DESTINATION "${forklift_package_dir}")

# The file finds its prefix from where it lies, so the copy may be moved. Users of the archive need its libraries too.
file(RELATIVE_PATH forklift_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" forklift_pc_prefix "${forklift_pc_prefix}")
set(forklift_pc_requires "Requires")
if(BUILD_SHARED_LIBS)
  set(forklift_pc_requires "Requires.private")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/forklift.pc.in" "${PROJECT_BINARY_DIR}/forklift.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/forklift.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
