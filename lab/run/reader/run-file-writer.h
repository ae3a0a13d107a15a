/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RUN_FILE_WRITER_H
#define RUN_FILE_WRITER_H

#include "run-file.h"

#include <string>

namespace ns3
{

/// \param file a run, whose records have any numbers \return its text, in one order of records
std::string RunWriteText(const RunFile& file);

} // namespace ns3

#endif /* RUN_FILE_WRITER_H */
