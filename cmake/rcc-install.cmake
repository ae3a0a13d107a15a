# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# `cmake --install`: the module as a library for programs outside of this repository. librcc.so, its headers in include/rcc/ns3/, and
# a CMake package: find_package(rcc) gives the target rcc::rcc, which brings the ns-3 that it was built with. Needs the object
# library rcc, core_sources, module_headers, more_headers, ns3_libraries, and cmake/rcc-core-install.cmake before it.
set(rcc_package ${CMAKE_INSTALL_LIBDIR}/cmake/rcc)
# shared, with the core inside: ns-3 finds classes that nothing names, and there is one table of algorithms
add_library(rcc-module SHARED $<TARGET_OBJECTS:rcc> $<TARGET_OBJECTS:rcc-core>)
set_target_properties(rcc-module PROPERTIES OUTPUT_NAME rcc EXPORT_NAME rcc VERSION ${rcc_version}
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/module)
target_compile_features(rcc-module INTERFACE cxx_std_${CMAKE_CXX_STANDARD})
target_include_directories(rcc-module SYSTEM INTERFACE ${NS3_INCLUDE})
target_include_directories(rcc-module INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/rcc>)
target_link_libraries(rcc-module PUBLIC ${ns3_libraries})
install(TARGETS rcc-module EXPORT rcc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${module_headers} ${more_headers} ${CMAKE_BINARY_DIR}/include/ns3/rcc-module.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rcc/ns3)
install(EXPORT rcc NAMESPACE rcc:: FILE rcc-config.cmake DESTINATION ${rcc_package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rcc-config-version.cmake
                                 VERSION ${rcc_version} COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rcc-config-version.cmake DESTINATION ${rcc_package})
