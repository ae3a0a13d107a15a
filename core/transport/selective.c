/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Settings of selective repeat. */
#include "rcc_selective.h"

static bool is_named(const char *a, const char *b)
{
    while (*a != 0 && *a == *b)
        a++, b++;
    return *a == *b;
}

bool rcc_selective_preset(struct rcc_selective *selective, struct rcc_transport *transport, const char *name)
{
    static const struct rcc_selective irn = {.packets = 512,
                                             .naks = RCC_GAP_EACH,
                                             .infer = true,
                                             .timeout_all = true,
                                             .one_bdp = true,
                                             .few = 3,
                                             .rto_low = 100000};
    static const struct rcc_selective nic = {.packets = 512, .naks = RCC_GAP_ONCE, .again = true, .timeout_all = true};
    const bool is_irn = is_named(name, "irn");
    if (!is_irn && !is_named(name, "nic"))
        return false;
    *selective = is_irn ? irn : nic;
    transport->back_to_zero = false;
    if (is_irn)
    {
        transport->ack_every = 1;
        transport->timeout = 320000;
        transport->backoff = false;
    }
    return true;
}

const char *rcc_selective_check(const struct rcc_selective *selective, const struct rcc_transport *transport)
{
    const uint32_t packets = selective->packets;
    if (packets < RCC_SELECTIVE_PACKETS_MIN || packets > RCC_SELECTIVE_PACKETS_MAX || (packets & (packets - 1)) != 0)
        return "the packets of a bitmap are not a power of two in 64..65536";
    if (!transport->reliable)
        return "datagrams are not repeated";
    if (transport->back_to_zero)
        return "selective repeat does not go back to the first packet of a chunk";
    if (selective->few != 0 && (selective->rto_low < 1 || selective->rto_low > transport->timeout))
        return "the timeout with few packets in flight is not in 1 ns..the retransmission timeout";
    if (selective->naks == RCC_GAP_SILENT && !selective->infer)
        return "without NAKs the sender has to infer losses";
    if (selective->reorder != 0 && !selective->infer)
        return "packets that may be overtaken: the sender has to infer losses";
    if (selective->reorder >= packets)
        return "a packet may be overtaken by as many packets as a bitmap spans";
    return NULL;
}

uint64_t rcc_selective_window(const struct rcc_selective *selective, uint32_t mtu, uint64_t rate, rcc_time rtt)
{
    const uint64_t most = (uint64_t)selective->packets * mtu, kilobits = rate / 1000;
    uint64_t bdp;
    if (!selective->one_bdp || (uint64_t)rtt >= most * 8000000 / kilobits)
        return most;
    bdp = kilobits * (uint64_t)rtt / 8000000;
    return bdp > mtu ? bdp : mtu;
}
