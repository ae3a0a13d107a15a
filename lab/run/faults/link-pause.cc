/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "link-pause.h"

#include "ns3/boolean.h"
#include "ns3/qbb-channel.h"

namespace ns3
{

bool
LabHasLinkPauses(const QbbNetDevice& port)
{
    const auto channel = DynamicCast<QbbChannel>(port.GetChannel());
    const Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(&port) : nullptr;
    BooleanValue link(false);
    if (peer)
    {
        peer->GetAttribute("LinkPause", link);
    }
    return link.Get();
}

} // namespace ns3
