# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# `cmake --install`: the core as a C library. librcc-core.a, include/rcc/, rcc-core.pc for pkg-config, and a CMake
# package: find_package(rcc-core) gives the target rcc::core. Needs core_headers and the target rcc-core.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

file(STRINGS core/cc/rcc.h rcc_version REGEX "#define RCC_VERSION")
string(REGEX MATCH "[0-9]+[.][0-9]+[.][0-9]+" rcc_version "${rcc_version}")

# What is installed has to be built, which ./rcc run does not do.
set(rcc_wanted ${CMAKE_BINARY_DIR}/librcc-core.a)
set(rcc_targets rcc-core)
if(NOT RCC_CORE_ONLY AND NOT RCC_SANITIZE AND NOT RCC_COVERAGE)
  list(APPEND rcc_wanted ${CMAKE_BINARY_DIR}/module/librcc.so)
  list(APPEND rcc_targets rcc-module)
endif()
string(REPLACE ";" " " rcc_targets "${rcc_targets}")
string(REPLACE ";" "\" \"" rcc_wanted "${rcc_wanted}")
install(CODE "foreach(file \"${rcc_wanted}\")
    if(NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"\${file} is not built. First: cmake --build ${CMAKE_BINARY_DIR} --target ${rcc_targets}\")
    endif()
  endforeach()")

set(rcc_package ${CMAKE_INSTALL_LIBDIR}/cmake/rcc-core)
set_target_properties(rcc-core PROPERTIES EXPORT_NAME core)
install(TARGETS rcc-core EXPORT rcc-core ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rcc)
install(FILES ${core_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rcc)
install(EXPORT rcc-core NAMESPACE rcc:: FILE rcc-core-config.cmake DESTINATION ${rcc_package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rcc-core-config-version.cmake
                                 VERSION ${rcc_version} COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rcc-core-config-version.cmake DESTINATION ${rcc_package})

# Relative to the file's own place, so that the prefix may be moved, but for folders that were given as absolute paths.
file(RELATIVE_PATH rcc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(folder LIBDIR INCLUDEDIR)
  set(rcc_pc_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
    set(rcc_pc_${folder} "${CMAKE_INSTALL_${folder}}")
  endif()
  string(REPLACE " " "\\ " rcc_pc_${folder} "${rcc_pc_${folder}}")
endforeach()
file(WRITE ${CMAKE_BINARY_DIR}/rcc-core.pc
"prefix=\${pcfiledir}/${rcc_prefix}
Name: rcc-core
Description: Congestion control, transport and switch of RDMA networks
Version: ${rcc_version}
Cflags: -I${rcc_pc_INCLUDEDIR}/rcc
Libs: -L${rcc_pc_LIBDIR} -lrcc-core
")
install(FILES ${CMAKE_BINARY_DIR}/rcc-core.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
