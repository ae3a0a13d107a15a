# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# rcc_set_ns3_standard(): set CMAKE_CXX_STANDARD to that of the ns-3 that was found, the first of 17, 20 and 23 that compiles its headers.
# The cache keeps it as RCC_CXX_STANDARD until the compiler or the ns-3 is another one. Needs NS3_INCLUDE and ns3_real.
function(rcc_set_ns3_standard)
  set(ns3 "${CMAKE_CXX_COMPILER} ${NS3_INCLUDE} ${ns3_real}")
  if(NOT RCC_CXX_STANDARD OR NOT RCC_CXX_STANDARD_OF STREQUAL ns3)
    unset(RCC_CXX_STANDARD CACHE)
    set(source ${CMAKE_BINARY_DIR}/CMakeFiles/ns3-standard.cc)
    file(WRITE ${source} "#include <rcc-precompiled.h>\n")
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # without a linker
    foreach(standard 17 20 23)
      if("cxx_std_${standard}" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
        unset(rcc_compiles CACHE)
        try_compile(rcc_compiles ${CMAKE_BINARY_DIR}/CMakeFiles/ns3-standard ${source}
                    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/cmake;${NS3_INCLUDE}"
                    COMPILE_DEFINITIONS -w
                    OUTPUT_VARIABLE output
                    CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON)
        if(rcc_compiles)
          set(RCC_CXX_STANDARD ${standard} CACHE INTERNAL "The C++ of the ns-3 that was found")
          set(RCC_CXX_STANDARD_OF "${ns3}" CACHE INTERNAL "")
          break()
        endif()
      endif()
    endforeach()
    unset(rcc_compiles CACHE)
  endif()
  if(NOT RCC_CXX_STANDARD)
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} compiles the headers of ns-3 in ${NS3_INCLUDE} as none of C++17, C++20 and C++23. This "
                        "ns-3 needs a newer compiler, which the variable CXX can name. What this one says:\n${output}")
  endif()
  set(CMAKE_CXX_STANDARD ${RCC_CXX_STANDARD} PARENT_SCOPE)
endfunction()
