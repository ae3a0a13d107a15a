# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# rcc_unity(name source...) sets name_units: what a target compiles in place of the sources. With RCC_UNITY these are units of at most
# eighteen C++ files: most of the time of a small file goes into the headers of ns-3. With sanitizers, not optimised, nearly all of it
# does: units are larger. Every log component has the name g_log, so each file gets one of its own. rcc-algorithm.cc stays alone: every
# new algorithm changes it. No unit holds the path of this folder, so that a compiler cache finds it again for a copy of the project:
# those of cmake's UNITY_BUILD do, and each copy is compiled anew. The model's units are smaller: gcc inlines less in a large one, which
# costs the packets of a star 1.5 % more instructions.
if(RCC_SANITIZE)
  set(files_of_unit 30)
else()
  set(files_of_unit 18)
endif()
function(rcc_unity name)
  set(found)
  if(RCC_UNITY)
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "model/port/rcc-algorithm.cc")
    set(found ${sources})
    set(sources ${ARGN})
    list(FILTER sources EXCLUDE REGEX "model/port/rcc-algorithm.cc")
    list(LENGTH sources files)
    set(most ${files_of_unit})
    if(name STREQUAL "model" AND NOT RCC_SANITIZE)
      set(most 12)
    endif()
    math(EXPR units "(${files} - 1) / ${most} + 1")
    if(units LESS 2 AND NOT RCC_SANITIZE)
      set(units 2)
    endif()
    set(i 0)
    foreach(source ${sources})
      math(EXPR unit "${i} * ${units} / ${files}")
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

# rcc_suites_unity(name source...): as rcc_unity, for test suites. They have names in common, so that each gets a namespace of its own,
# outside of which the headers of all are included before. A file that includes something under a condition is compiled alone.
function(rcc_suites_unity name)
  set(found)
  list(LENGTH ARGN files)
  math(EXPR units "(${files} - 1) / ${files_of_unit} + 1")
  set(i 0)
  foreach(source ${ARGN})
    file(STRINGS ${source} conditions REGEX "^#if.*RCC_")
    if(NOT RCC_UNITY OR conditions)
      list(APPEND found ${source})
    else()
      math(EXPR unit "${i} % ${units}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source}) # an include that is new goes before the namespace
      file(STRINGS ${source} includes REGEX "^#include")
      string(REPLACE ";" "\n" includes "${includes}")
      string(APPEND head_${unit} "${includes}\n")
      string(APPEND text_${unit} "namespace suite_${i}\n{\n#include \"${source}\"\n}\n")
      math(EXPR i "${i} + 1")
    endif()
  endforeach()
  math(EXPR last "${units} - 1")
  foreach(unit RANGE ${last})
    if(text_${unit})
      set(path ${CMAKE_BINARY_DIR}/unity/${name}-${unit}.cc)
      file(GENERATE OUTPUT ${path} CONTENT "${head_${unit}}${text_${unit}}")
      set_source_files_properties(${path} PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR})
      list(APPEND found ${path})
    endif()
  endforeach()
  set(${name}_units ${found} PARENT_SCOPE)
endfunction()

# rcc_precompiled(target): the headers that most files include are parsed once for it. There is nothing of ours among them: what each file
# reads of the compiled headers takes longer the more there is.
function(rcc_precompiled target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/cmake)
  target_precompile_headers(${target} PRIVATE <rcc-precompiled.h>)
endfunction()
