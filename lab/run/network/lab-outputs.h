/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_OUTPUTS_H
#define LAB_OUTPUTS_H

#include "lab-network.h"

#include "ns3-rdma-output.h"
#include "tcp-bulk.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// The outputs of a run whose flows arrive as its file lists them: the outputs of the HPCC simulator, frames that links
/// have lost, and TCP connections.
class LabOutputs : public LabRunExtra
{
  public:
    /// \param file of the run \param run of the flows, which are added \param network of them
    LabOutputs(const RunFile& file, LabRun& run, const LabNetwork& network);

    void Begin(const std::string& folder) override;
    void FlowEnded(size_t flow, int64_t fct) override;
    bool CanBeDivided() const override;
    bool CountsLostFrames() const override;
    void Gather(RccGateway& ranks) override;
    std::vector<RunWarning> GetWarnings(int64_t end) const override;
    void AddResults(LabJson& json) override;

  private:
    /// One connection and its two ends.
    struct Connection
    {
        RunTcp row;
        TcpBulkReceiver receiver;
        TcpBulkSender sender;

        /// \param of the file \param network of it \param to address and port of the receiver
        Connection(const RunTcp& of, const LabNetwork& network, const Address& to);

        /// \return ns from its start until all its bytes had been read; negative before
        int64_t GetFct() const
        {
            return receiver.GetDone() < 0 ? -1 : receiver.GetDone() - row.start;
        }
    };

    void AddTcp(const RunFile& file, LabRun& run);
    LabJson ListTcp() const;

    const LabNetwork& m_network;
    Ns3RdmaOutput m_output;
    std::vector<std::unique_ptr<Connection>> m_tcp; //!< sockets keep pointers to them
    bool m_gathered{false};
    uint64_t m_lost{0}; //!< frames, in all ranks
};

} // namespace ns3

#endif /* LAB_OUTPUTS_H */
