/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_FLOW_REPORT_H
#define RDMA_FLOW_REPORT_H

#include "ns3/node-container.h"
#include "ns3/rcc-compiler.h"
#include "ns3/rdma-nic.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * One CSV row per message that NICs send, from their trace sources; a run with it and one without are the same run.
 *
 *     RdmaFlowReport report("flows.csv");
 *     report.Install(NodeContainer::GetGlobal());
 *
 * A row is written when its message ends or its queue pair is closed or fails; Close, or the destructor, adds those
 * that are still running. Columns:
 *
 *     source, destination    node ids
 *     qp                     index of the sending half at the source
 *     algorithm              as in --cc
 *     bytes                  payload; 0 = without end
 *     start_s, end_s         post, and acknowledgement of the last packet; end_s is empty unless state is done
 *     fct_s                  their difference
 *     goodput_bps            payload that was acknowledged, per second from the start to the end of the row
 *     retransmitted          packets sent again
 *     cnps, cnms             received
 *     ideal_s, slowdown      the time that the message would take alone (RccIdealFct), and fct_s as a multiple of it;
 *                            empty where the path is not known: through a CioqSwitch, or with a path for each packet;
 *                            of a message of more than 2^24 packets that has not ended, extrapolated
 *     state                  done, closed (before its end), failed (RetryLimit) or running
 *
 * Retransmissions, CNPs and CNMs are those of the queue pair between the start and the end of the row: messages that
 * overlap on one queue pair share them. What is not known is empty: all but the first six columns and the state, for
 * messages that still run when a report is closed after Simulator::Destroy.
 */
class RdmaFlowReport
{
  public:
    /// Create the file; the program ends with a message if that does not work. \param fileName of the CSV
    explicit RdmaFlowReport(const std::string& fileName);
    ~RdmaFlowReport();

    RdmaFlowReport(const RdmaFlowReport&) = delete;
    RdmaFlowReport& operator=(const RdmaFlowReport&) = delete;

    /// Report what nodes send from now on. \param nodes those without an RdmaNic are passed over
    void Install(const NodeContainer& nodes);

    /**
     * Add the messages that still run, and end the report.
     * \return empty, or why the file is not whole
     */
    RCC_NODISCARD std::string Close();

    /// \return rows written so far
    uint64_t GetRows() const
    {
        return m_rows;
    }

  private:
    class Host;

    std::string m_fileName;
    std::FILE* m_file;
    uint64_t m_rows{0};
    std::vector<std::unique_ptr<Host>> m_hosts;
};

} // namespace ns3

#endif /* RDMA_FLOW_REPORT_H */
