# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# The installed ns-3, that of NS3_DIR or the system's: NS3_INCLUDE, NS3_core and its fellows, ns3_libraries, ns3_version, and the C++
# standard in which it is written. With NS3_DIR nothing is taken from elsewhere: libraries of one ns-3 do not fit the headers of another.
if(NS3_DIR)
  find_path(NS3_INCLUDE ns3/simulator.h PATHS ${NS3_DIR}/include NO_DEFAULT_PATH)
  set(ns3_folders ${NS3_DIR}/lib ${NS3_DIR}/lib64 ${NS3_DIR}/lib/${CMAKE_LIBRARY_ARCHITECTURE})
else()
  find_path(NS3_INCLUDE ns3/simulator.h)
  set(ns3_folders /usr/lib/* /usr/local/lib /usr/lib64 /usr/lib)
endif()
foreach(module core network bridge internet)
  if(NOT NS3_DIR)
    find_library(NS3_${module} NAMES ns3-${module} ns3-${module}-default ns3-${module}-optimized)
  endif()
  if(NOT NS3_${module})
    # ns-3 puts its version and, of some profiles, the profile into the names; internet-apps is another module than internet
    set(patterns ${ns3_folders})
    list(TRANSFORM patterns APPEND "/libns3*-${module}*.so")
    file(GLOB found ${patterns})
    list(FILTER found INCLUDE REGEX
         "/libns3[0-9.]*(-dev|-rc[0-9]+)?-${module}(-(debug|default|minsizerel|optimized|release|relwithdebinfo))?[.]so$")
    if(found)
      list(GET found 0 first)
      set(NS3_${module} ${first} CACHE FILEPATH "" FORCE)
    endif()
  endif()
  if(NOT NS3_${module} OR NOT NS3_INCLUDE)
    message(FATAL_ERROR "ns-3's ${module} library was not found. On Debian or Ubuntu: apt-get install libns3-dev. "
                        "An ns-3 elsewhere: -DNS3_DIR=PREFIX")
  endif()
  list(APPEND ns3_libraries ${NS3_${module}})
endforeach()
get_filename_component(ns3_real ${NS3_core} REALPATH)
get_filename_component(ns3_name ${ns3_real} NAME)
string(REGEX MATCH "3\\.[0-9]+(\\.[0-9]+)?|so\\.[0-9]+" ns3_version "${ns3_name}")
string(REPLACE "so." "3." ns3_version "${ns3_version}")
if(NOT ns3_version)
  set(ns3_version unknown)
endif()

# rcc_set_ns3_standard(): set CMAKE_CXX_STANDARD to the first of 17, 20 and 23 in which the compiler takes the headers of ns-3. The cache
# keeps it as RCC_CXX_STANDARD until the compiler or the ns-3 is another one.
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
rcc_set_ns3_standard()
