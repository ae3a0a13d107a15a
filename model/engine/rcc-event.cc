/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-event.h"

namespace ns3
{

void
RccEvent::UseOther()
{
    if (m_node.pending & LATER)
    {
        m_queue->Remove(m_node.pending & SECOND_FIRST ? m_node : m_second->node);
    }
    m_node.pending = m_node.pending & SECOND_FIRST ? LATER : LATER | SECOND_FIRST;
    if (!m_second)
    {
        m_second = new Second;
        m_second->node.order = m_node.order;
        m_second->node.isSecond = true;
        m_second->event = this;
    }
}

} // namespace ns3
