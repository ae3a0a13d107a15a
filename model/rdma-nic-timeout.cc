/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaNic's retransmission timeouts. */
#include "rdma-nic.h"

namespace ns3
{

namespace
{
const uint32_t NONE = UINT32_MAX; // end of the list
} // namespace

/* All timeouts are equally long, so a list in the order of asking is in the order of expiry. */

void
RdmaNic::RtoAdd(RdmaSendQp& qp, int64_t now)
{
    if (m_rtoNs == 0)
    {
        m_rtoNs = m_rto.GetNanoSeconds();
    }
    qp.rtoDue = now + m_rtoNs;
    qp.rtoPrev = m_rtoTail;
    qp.rtoNext = NONE;
    qp.rtoListed = true;
    if (m_rtoTail != NONE)
    {
        m_send[m_rtoTail]->rtoNext = qp.index;
    }
    else
    {
        m_rtoHead = qp.index;
        m_rtoEvent.AtOrBefore(qp.rtoDue, now);
    }
    m_rtoTail = qp.index;
}

void
RdmaNic::RtoRemove(RdmaSendQp& qp)
{
    if (!qp.rtoListed)
    {
        return;
    }
    qp.rtoListed = false;
    if (qp.rtoPrev != NONE)
    {
        m_send[qp.rtoPrev]->rtoNext = qp.rtoNext;
    }
    else
    {
        m_rtoHead = qp.rtoNext;
    }
    if (qp.rtoNext != NONE)
    {
        m_send[qp.rtoNext]->rtoPrev = qp.rtoPrev;
    }
    else
    {
        m_rtoTail = qp.rtoPrev;
    }
}

void
RdmaNic::RtoEvent(void* nic, int64_t now)
{
    auto self = static_cast<RdmaNic*>(nic);
    while (self->m_rtoHead != NONE && self->m_send[self->m_rtoHead]->rtoDue <= now)
    {
        RdmaSendQp& qp = *self->m_send[self->m_rtoHead];
        self->RtoRemove(qp);
        self->m_counters.timeouts++;
        self->GoBack(qp, true);
        self->Resume(qp, now);
    }
    if (self->m_rtoHead != NONE)
    {
        self->m_rtoEvent.At(self->m_send[self->m_rtoHead]->rtoDue, now);
    }
}

} // namespace ns3
