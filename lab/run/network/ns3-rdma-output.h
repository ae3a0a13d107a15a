/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_OUTPUT_H
#define NS3_RDMA_OUTPUT_H

#include "ns3-rdma-log.h"

#include "lab-paths.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rcc-event-queue.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * The outputs of the HPCC simulator, in its formats, so that its analysis scripts
 * read them: fct.txt, pfc.txt, qlen.txt and the binary trace mix.tr. Each is
 * written if it has a name, and costs nothing otherwise.
 *
 * What differs from that simulator is what differs between the simulations: sizes
 * are those of real headers (62 bytes around a payload); a pause that is
 * refreshed is one line in pfc.txt; qlen.txt ends with a histogram of the whole
 * time between QLEN_MON_START and _END, whatever multiple of 100 ms that is; the
 * queue that caused a pause is not in its record.
 */
class Ns3RdmaOutput : public QbbFrameObserver
{
  public:
    static const int64_t QLEN_INTERVAL = 100;   //!< ns between samples of a queue
    static const int64_t QLEN_DUMP = 100000000; //!< ns between histograms
    static const uint64_t QLEN_BIN = 1000;      //!< bytes
    static const uint32_t RECORD = 56;          //!< bytes of a record of mix.tr
    static const uint32_t FIRST_PORT = 10000;   //!< source port of a pair's first flow

    /// \param paths of the network \param file of the run, which names the outputs; both outlive this
    Ns3RdmaOutput(const LabPaths& paths, const RunFile& file);
    ~Ns3RdmaOutput() override;

    /**
     * Add a flow, before Open. The caller opens it, and tells FlowEnded.
     * \param flow in the order of the starts: a host's n-th is its n-th queue pair
     */
    void AddFlow(const RunArrival& flow);

    /// \param flow counted from 0 in the order of AddFlow. \param fct from its start to the last ACK, ns
    void FlowEnded(size_t flow, int64_t fct);

    /**
     * Create the files and begin to write, before the simulation runs.
     * \param folder for the files' base names; empty: the names are paths
     * \return empty, or which file cannot be written and why
     */
    std::string Open(const std::string& folder);

    /// Write what is left and close the files; the simulation is over and the network is still there. Of several ranks,
    /// called by all of them.
    void Close();

    /// \return base names of the files that were created
    const std::vector<std::string>& GetFiles() const
    {
        return m_files;
    }

    /// \param node id in the files \return its IPv4 address in the outputs
    static uint32_t AddressOf(uint32_t node)
    {
        return 0x0b000001u + ((node / 256) << 16) + ((node % 256) << 8);
    }

    /// Write a record of mix.tr. \param event of the frame \param port it is at \param frame that it is \param now ns
    void FrameSeen(QbbFrameEvent event, const QbbNetDevice& port, const RccFrame& frame, int64_t now) override;

  private:
    struct Flow
    {
        uint32_t src, dst;
        uint64_t bytes;
        int64_t start;
        uint64_t ideal; //!< completion time of the flow alone, ns
        uint16_t sport, dport;
        uint8_t pg;
    };

    class Queue;

    /// A port's state, for the order of mix.tr.
    struct PortState
    {
        int64_t knew{0};     //!< when it came to know of what it sends next, ns
        uint32_t waiting{0}; //!< frames in its queues
    };

    template <class Visitor> void ForEachPort(const Visitor& visitor) const;
    static void PauseChanged(Ns3RdmaOutput* self, uint32_t node, uint32_t interface, uint8_t cls, bool paused);
    static void LinkPauseChanged(Ns3RdmaOutput* self, uint32_t node, uint32_t interface, uint8_t cls, bool paused);
    static int64_t TieOf(QbbFrameEvent event, PortState& port, const RccFrame& frame, int64_t now, uint64_t place);
    const Flow* FlowOf(uint32_t sender, uint32_t qp) const;
    uint8_t PutHeaders(uint8_t* r, const QbbNetDevice& port, const RccFrame& frame, const Flow& flow) const;
    void ObserveFrames(bool on);
    void BeginTrace();
    void BeginQueues();
    uint32_t PauseSource(uint32_t node, uint32_t port, QbbFrameEvent event) const;
    void DumpRegularly(int64_t at);
    void DumpQueues(int64_t at);
    void EndQueues(int64_t now);

    const LabPaths& m_net;
    const RunFile& m_file;
    std::vector<std::string> m_files; //!< names of what was opened
    std::vector<Flow> m_flows;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_sports; //!< next of a pair of hosts
    std::vector<std::vector<uint32_t>> m_flowOf;                //!< by sender and queue pair; for mix.tr
    std::vector<uint32_t> m_firstPort;                          //!< by node: index of its first port in
    std::vector<PortState> m_portStates;
    Ptr<RccEventQueue> m_events; //!< the simulation's
    Ns3RdmaLog m_fct, m_pfc, m_qlen, m_mix;
    std::vector<std::unique_ptr<Queue>> m_queues;
    int64_t m_dumped{-1}; //!< time of the last histogram
    bool m_wantsFct, m_wantsPfc, m_wantsQlen, m_wantsMix;
};

} // namespace ns3

#endif /* NS3_RDMA_OUTPUT_H */
