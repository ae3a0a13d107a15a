# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# rcc_unity(target): with RCC_UNITY its files are compiled in units of about twelve: most of the time of a small file goes into
# the headers of ns-3. Every log component has the name g_log, so each file gets one of its own. rcc-algorithm.cc stays alone:
# every new algorithm changes it.
function(rcc_unity target)
  if(NOT RCC_UNITY OR CMAKE_VERSION VERSION_LESS 3.20)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources model/rcc-algorithm.cc)
  list(LENGTH sources files)
  math(EXPR units "${files} / 12 + 1")
  if(units LESS 2)
    set(units 2)
  endif()
  set(i 0)
  foreach(source ${sources})
    math(EXPR unit "${i} % ${units}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
    math(EXPR i "${i} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_UNIQUE_ID RCC_UNITY_ID
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#define RCC_UNITY_JOIN(a, b) a##b
#define RCC_UNITY_NAME(a, b) RCC_UNITY_JOIN(a, b)
#define g_log RCC_UNITY_NAME(g_log_, RCC_UNITY_ID)"
    UNITY_BUILD_CODE_AFTER_INCLUDE "#undef g_log
#undef RCC_UNITY_NAME
#undef RCC_UNITY_JOIN")
endfunction()
