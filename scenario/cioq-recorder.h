/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef CIOQ_RECORDER_H
#define CIOQ_RECORDER_H

#include "rcc-run.h"

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * What a run through one CioqSwitch adds to RccRun's results (doc/fan-in.md):
 * flow_arrivals.csv, buffers.csv, and in run.json per_flow and stops.
 *
 * Rates count frames with the ETHERNET_GAP_BYTES around each, the raw
 * throughput of RZ 3880. What a flow's source sends is what arrives at the
 * switch's input, one link delay later.
 */
class CioqRecorder : public RccRunExtra
{
  public:
    /**
     * \param sw the switch
     * \param from, to window of the means, ns
     * \param end of the simulation, ns
     */
    CioqRecorder(Ptr<CioqSwitch> sw, int64_t from, int64_t to, int64_t end);

    /// A flow between two ports of the switch; in the order of RccFlowSet::Add.
    void AddFlow(Ptr<RdmaClient> client, Ptr<RdmaNic> from, uint32_t src, uint32_t dst);

    void Begin(const std::string& folder) override;
    void AddResults(RccJson& json) override;

  private:
    struct Flow
    {
        Ptr<RdmaClient> client;
        Ptr<RdmaNic> from;
        uint32_t src, dst;
        uint64_t last;         //!< bytes sent at the last row
        uint64_t begin, final; //!< bytes sent at the window's ends

        const RdmaSendQp* Qp() const;
        uint64_t Sent() const;
    };

    void Mark(uint64_t Flow::*bytes);
    void Tick();
    void WriteBuffers(double seconds);

    Ptr<CioqSwitch> m_switch;
    int64_t m_from, m_to, m_end; //!< ns
    std::vector<Flow> m_flows;
    std::set<uint32_t> m_ports; //!< that carry flows
    RccFile m_flowCsv, m_bufferCsv;
};

} // namespace ns3

#endif /* CIOQ_RECORDER_H */
