# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# rcc_unity(name source...) sets name_units: what a target compiles in place of the sources. With RCC_UNITY these are units of about
# twelve C++ files: most of the time of a small file goes into the headers of ns-3. Every log component has the name g_log, so each
# file gets one of its own. rcc-algorithm.cc stays alone: every new algorithm changes it. No unit holds the path of this folder, so
# that a compiler cache finds it again for a copy of the project.
function(rcc_unity name)
  set(found)
  if(RCC_UNITY)
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "model/rcc-algorithm.cc")
    set(found ${sources})
    set(sources ${ARGN})
    list(FILTER sources EXCLUDE REGEX "model/rcc-algorithm.cc")
    list(LENGTH sources files)
    math(EXPR units "${files} / 12 + 1")
    if(units LESS 2)
      set(units 2)
    endif()
    set(i 0)
    foreach(source ${sources})
      math(EXPR unit "${i} % ${units}")
      string(APPEND text_${unit} "#define g_log g_log_${i}\n#include \"${source}\"\n#undef g_log\n")
      math(EXPR i "${i} + 1")
    endforeach()
    math(EXPR last "${units} - 1")
    foreach(unit RANGE ${last})
      set(path ${CMAKE_BINARY_DIR}/unity/${name}-${unit}.cc)
      file(GENERATE OUTPUT ${path} CONTENT "${text_${unit}}") # written only where it differs
      set_source_files_properties(${path} PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR})
      list(APPEND found ${path})
    endforeach()
  else()
    set(found ${ARGN})
  endif()
  set(${name}_units ${found} PARENT_SCOPE)
endfunction()

# rcc_precompiled(target header...): the headers that most files include are parsed once for it, and `header`.
function(rcc_precompiled target)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/cmake)
  target_precompile_headers(${target} PRIVATE <rcc-precompiled.h> ${ARGN})
endfunction()
