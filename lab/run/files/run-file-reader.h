/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RUN_FILE_READER_H
#define RUN_FILE_READER_H

#include "run-file.h"

#include <string>

namespace ns3
{

/// Read a run file. Throws RunError about the first record that is wrong. \param path of the file \return what it says
RunFile RunReadFile(const std::string& path);

/// Read a run file's content. \return the run
RunFile RunReadText(const std::string& text);

} // namespace ns3

#endif /* RUN_FILE_READER_H */
