/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Keys that forks of the HPCC simulator have added, and what there is here in their place. */
#include "ns3-rdma-keys.h"

namespace ns3
{

namespace
{

/// A key of forks, or several of one kind, and what it is.
struct Fork
{
    const char* begin; //!< the name, or what all names begin with if this ends in _ or :
    const char* end;   //!< what all names end with; empty: it is the beginning that counts
    const char* text;
};

const char BALANCING[] = "of load balancing, LB_MODE 0, 2 and 6 are here; --attr QbbSwitch.FlowletGap, "
                         "BalancingSamples and BalancingMemory set what those have";
const char MONITOR[] = "a file that this fork writes; rate.csv, queue.csv and flow_rates.csv have rates and queues";
const char FOLDER[] = "the folder of results is --out";
const char INTERVAL[] = "the interval of a file that this fork writes; --interval is that of the CSV series";

/// In the order in which they are looked up.
const Fork FORKS[] = {
    {"IRN_", "",
     "the parameters of IRN are attributes here: --attr RdmaNic.RtoLow=TIME, RtoHigh, RtoLowPackets, BaseRtt"},
    {"AR_MODE", "", BALANCING},
    {"CONWEAVE_", "", BALANCING},
    {"CONGA_", "", BALANCING},
    {"LETFLOW_", "", BALANCING},
    {"DRILL_", "", BALANCING},
    {"RANDOM_SEED", "", "the seed of a run is --seed"},
    {"FLOW_INPUT_FILE", "", "the flows are those of FLOW_FILE, or of --flows=FILE"},
    {"FLOWGEN_", "", "flows are those of the flow file; ./rcc generate workload writes one"},
    {"LOAD", "", "flows are those of the flow file; ./rcc generate workload --load=L writes one"},
    {"SWITCH_FORWARD_DELAY", "", "switches here forward without a delay of their own, but for that of the links"},
    {"QUEUE_MGMT_MODE", "", "queues here are FIFO in each class, marked as KMIN_MAP, KMAX_MAP and PMAX_MAP say"},
    {"MON_START", "", INTERVAL},
    {"MON_END", "", INTERVAL},
    {"", "_OUTPUT_FILE", MONITOR},
    {"ENABLE_CWND_TRACE", "", MONITOR},
    {"ENABLE_ANIM", "", MONITOR},
    {"DATA_DIR", "", FOLDER},
    {"EXP_NAME", "", FOLDER},
    {"INT_PER_PACKET", "", "telemetry is written for the algorithms that read it"},
    {"R_DELIVERED_GAIN", "", "of CC_MODE 11, HPCC with the receiver as a hop, which is not here"},
    {"SW_MONITORING_INTERVAL", "", INTERVAL},
    {"", "_MON_FILE", MONITOR},
    {"", "_MON_DETAIL_FILE", MONITOR},
    {"", "_MON_INTERVAL", INTERVAL},
    {"ns3::", "", "an attribute of a class of that simulator; --attr TYPE.NAME=VALUE sets those of this one"},
};

} // namespace

const char*
Ns3RdmaForkKey(const std::string& name)
{
    if (Ns3RdmaFindKey(name))
    {
        return nullptr;
    }
    for (const auto& fork : FORKS)
    {
        const std::string begin = fork.begin;
        const std::string end = fork.end;
        const bool whole = !begin.empty() && begin.back() != '_' && begin.back() != ':';
        const bool found = whole           ? name == begin
                           : begin.empty() ? name.size() > end.size()
                                           : name.size() > begin.size();
        if (found && name.compare(0, begin.size(), begin) == 0 &&
            name.compare(name.size() - end.size(), end.size(), end) == 0)
        {
            return fork.text;
        }
    }
    return nullptr;
}

} // namespace ns3
