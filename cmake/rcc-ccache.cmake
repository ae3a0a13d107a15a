# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# RCC_CCACHE: what gcc, and of C what clang has compiled is kept in a folder, so that the same files need not be compiled again for
# another build folder, or for a copy of the project. Not clang's C++: its precompiled headers hold the times of the files that they
# were made of.
set(used_before ${RCC_CCACHE_USED})
unset(RCC_CCACHE_USED CACHE)
set(cached C)
if(NOT CMAKE_CXX_COMPILER OR CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND cached CXX)
endif()
if(NOT RCC_CCACHE OR NOT CMAKE_C_COMPILER_ID MATCHES "^(GNU|Clang)$")
  return()
endif()
# ccache does not make paths with these characters relative, as compilers escape them in lists of dependencies: a copy would depend on
# the files of the folder that compiled first, and would not notice its own changes.
if("${CMAKE_SOURCE_DIR}${CMAKE_BINARY_DIR}" MATCHES "[ #$]")
  return()
endif()
execute_process(COMMAND ccache --version OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE no_ccache)
if(no_ccache)
  return()
endif()
set(RCC_CCACHE_USED ON CACHE INTERNAL "whether another build with this RCC_CCACHE finds what this one has compiled")
# gcc makes a precompiled header of the one that is there before, if there is one, and no copy has the same: none is kept of a folder
# that was built without.
if(NOT used_before)
  file(GLOB_RECURSE old ${CMAKE_BINARY_DIR}/CMakeFiles/*.gch ${CMAKE_BINARY_DIR}/*/CMakeFiles/*.gch)
  if(old)
    file(REMOVE ${old})
  endif()
endif()
# Direct mode only: what a file includes is hashed, nothing is preprocessed twice. Paths below this folder count relative to the
# build folder, which itself does not count: line numbers for sanitizers name it. The sloppiness is what ccache asks for with
# precompiled headers.
foreach(language ${cached})
  set(CMAKE_${language}_COMPILER_LAUNCHER sh ${CMAKE_CURRENT_LIST_DIR}/rcc-anew.sh CCACHE_DIR=${RCC_CCACHE} CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_ctime,include_file_mtime
      CCACHE_MAXSIZE=2G ccache)
endforeach()
