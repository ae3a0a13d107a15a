/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-loss.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

namespace
{
/* Constants of the HPCC simulator and of its forks, which their files cannot set. */
const int64_t NACK_INTERVAL = 500000; // ns
const int64_t L2_TIMEOUT = 4000000;   // ns, of the forks that have one; a pause may hold an answer back for as long

bool
LinksLose(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    return config.errorRate > 0 ||
           std::any_of(topology.links.begin(), topology.links.end(), [](const Ns3RdmaLink& l) { return l.error > 0; });
}
} // namespace

void
Ns3RdmaSetRecovery(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    const bool hpcc = config.dialect == Ns3RdmaDialect::HPCC;
    Config::SetDefault("ns3::QbbChannel::LosesEveryKind", BooleanValue(true));
    Config::SetDefault("ns3::RdmaNic::Recovery", StringValue(config.irn ? "irn" : "go-back-n"));
    Config::SetDefault("ns3::RdmaNic::NakEvery", TimeValue(NanoSeconds(hpcc ? NACK_INTERVAL : 0)));
    if (hpcc && (!config.pfc || LinksLose(config, topology)))
    {
        const int64_t timeout = config.pfc ? L2_TIMEOUT : NACK_INTERVAL;
        Config::SetDefault("ns3::RdmaNic::RetransmissionTimeout", TimeValue(NanoSeconds(timeout)));
    }
}

} // namespace ns3
