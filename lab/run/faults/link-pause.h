/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LINK_PAUSE_H
#define LINK_PAUSE_H

#include "ns3/qbb-net-device.h"

namespace ns3
{

/// \param port any \return whether its peer sends PAUSE frames, each of which is a change of all classes at once
bool LabHasLinkPauses(const QbbNetDevice& port);

} // namespace ns3

#endif /* LINK_PAUSE_H */
