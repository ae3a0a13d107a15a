/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef CIOQ_RECORDER_H
#define CIOQ_RECORDER_H

#include "lab-run.h"

#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The results that a run through one CioqSwitch adds to LabRun's (lab/doc/fan-in.md):
 * flow_arrivals.csv, buffers.csv, and in run.json per_flow and stops.
 *
 * Rates count frames with the ETHERNET_GAP_BYTES around each, the raw
 * throughput of RZ 3880. What a flow's source sends is what arrives at the
 * switch's input, one link delay later.
 */
class CioqRecorder : public LabRunExtra
{
  public:
    /**
     * \param run with all its flows; outlives this
     * \param sw the switch
     * \param end of the simulation, ns
     */
    CioqRecorder(LabRun& run, Ptr<CioqSwitch> sw, int64_t end);

    void Begin(const std::string& folder) override;
    void AddResults(LabJson& json) override;

  private:
    /// Bytes on the wire that a flow's source had sent.
    struct Sent
    {
        uint64_t last{0};            //!< at the last row
        uint64_t begin{0}, final{0}; //!< at the window's ends
    };

    void Mark(uint64_t Sent::*bytes);
    void Tick();
    void WriteBuffers(double seconds);

    LabRun& m_run;
    Ptr<CioqSwitch> m_switch;
    int64_t m_end;              //!< ns
    std::vector<Sent> m_sent;   //!< by flow
    std::set<uint32_t> m_ports; //!< that carry flows
    LabFile m_flowCsv, m_bufferCsv;
};

} // namespace ns3

#endif /* CIOQ_RECORDER_H */
