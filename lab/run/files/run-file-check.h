/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RUN_FILE_CHECK_H
#define RUN_FILE_CHECK_H

#include "run-file.h"

namespace ns3
{

/// Look at what no record shows alone: ports, the order of records, nodes behind steps. Throws RunError about the first
/// record that is wrong. \param file whose records are sound by themselves
void RunCheckFile(const RunFile& file);

} // namespace ns3

#endif /* RUN_FILE_CHECK_H */
