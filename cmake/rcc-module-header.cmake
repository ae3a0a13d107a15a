# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# rcc_module_header(NAME HEADER...): ns3/NAME-module.h, which includes all headers of a module, as an ns-3 tree makes it.
function(rcc_module_header name)
  set(text "/* SPDX-License-Identifier: GPL-2.0-only */\n/* SPDX-FileCopyrightText: 2026 rcc contributors */\n#pragma once\n")
  foreach(header ${ARGN})
    get_filename_component(header ${header} NAME)
    string(APPEND text "#include <ns3/${header}>\n")
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/include/ns3/${name}-module.h "${text}")
endfunction()
