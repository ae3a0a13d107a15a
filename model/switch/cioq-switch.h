/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef CIOQ_SWITCH_H
#define CIOQ_SWITCH_H

#include "ns3/rcc-frame-line.h"
#include "ns3/rcc_switch.h"
#include "qbb-switch-base.h"

#include "ns3/nstime.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// A frame in a CioqSwitch, from its arrival until no buffer holds it any more.
struct CioqRecord : rcc_cioq_record
{
    uint32_t src;       //!< source of the frame, node id
    uint32_t srcQp;     //!< index of the sending queue pair
    uint32_t dst;       //!< destination of the frame
    uint32_t hash;      //!< RccFrame::hash
    CioqRecord* parent; //!< record that holds the bytes at the input: itself, or the one of the frame it is a copy of
    uint32_t copies;    //!< copies for which the input still keeps the frame
    uint16_t input;     //!< port it came in through
    uint16_t output;    //!< port it leaves through
    RccTag tag;         //!< RccFrame::tag
};

/**
 * \ingroup rcc
 * A combined input/output-queued switch with one lossless class, after N. Chrysos
 * et al., "Unbiased QCN for Scalable Server-Fabrics", IBM Research report RZ 3880.
 *
 *     upstream <--STOP/GO--.
 *         |     .----------+-------.           .-------------------------------.
 *         '---->| input buffer     |  fabric   | output buffer (the class's    |
 *               |  VOQ per output  |==========>|  queue of the output device)  |---> link
 *               '------------------'<--grant---'-------------------------------'
 *
 * An input buffer holds a queue per output (VOQ). A VOQ with frames requests; the
 * output's arbiter grants frame by frame, in round robin over the inputs, what
 * its buffer has space for, frames still on their way included. Granted frames of
 * an input enter the fabric one after the other at Speedup times its port's rate,
 * and reach the output buffer Latency later. An input whose occupancy reaches
 * StopThreshold pauses its upstream until it falls to GoThreshold.
 *
 * QCN congestion points at inputs, outputs or both see that buffer's occupancy;
 * the switch decides which source they notify (Sampling). Classes without PFC pass
 * straight to the output device.
 *
 * Aggregate it to a node, add the node's QbbNetDevices, set routes and the
 * algorithm, then Start.
 */
class CioqSwitch : public QbbSwitchBase
{
  public:
    /// \return the TypeId with all attributes and trace sources
    static TypeId GetTypeId();
    CioqSwitch();

    /**
     * TracedCallback signature of an input buffer's occupancy.
     * \param port of the input
     * \param oldBytes before, on the wire
     * \param newBytes now
     */
    using InputBytesTracedCallback = void (*)(uint32_t port, uint64_t oldBytes, uint64_t newBytes);

    /**
     * Frames for a host leave through one port.
     * \param host node id
     * \param port below GetNPorts()
     */
    void SetRoute(uint32_t host, uint32_t port)
    {
        CheckRoute({port});
        m_routes.Set(host, {port});
    }

    /**
     * Frames for a group leave once through each of several ports.
     * \param group a destination that is no node's id
     * \param ports each below GetNPorts()
     */
    void SetMulticast(uint32_t group, const std::vector<uint32_t>& ports)
    {
        CheckRoute(ports);
        m_groups[group] = ports;
    }

    /**
     * Set whose congestion point the attribute CongestionPoints places. Before Start.
     * \param algorithm one that sends CNMs, such as qcn; Start checks it
     */
    void SetAlgorithm(Ptr<RccAlgorithm> algorithm)
    {
        m_algorithm = algorithm;
    }

    /// \return whether there are congestion points without an algorithm that sends CNMs. Start refuses that
    bool LacksNotifier() const;

    /// \return whether KeepAlive is true and Sampling has no times to sample at. Start refuses that
    bool LacksSampling() const
    {
        return m_keepAlive && m_sampling == "Arrival";
    }

    /// As QbbSwitchBase::Start. The fabric keeps the rates that the ports have now.
    RCC_NODISCARD std::string Start() override;

    /**
     * \param port below GetNPorts()
     * \return occupancy of its input buffer, bytes on the wire
     */
    uint64_t GetInputBytes(uint32_t port) const
    {
        return m_ports[port]->in.buffer.bytes;
    }

    /**
     * \param port below GetNPorts()
     * \return bytes in its output buffer; the frame on the link is not in it any more
     */
    uint64_t GetOutputBytes(uint32_t port) const
    {
        return m_ports[port]->out.buffer.bytes;
    }

    /**
     * \param port below GetNPorts()
     * \return whether its input has asked its upstream to stop
     */
    bool IsStopped(uint32_t port) const
    {
        return m_ports[port]->in.stopped;
    }

    /// \return how often inputs have stopped their upstreams; refreshes do not count
    uint64_t GetStops() const
    {
        return m_stops;
    }

    // QbbPortOwner
    void FrameArrived(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameLeaves(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameLost(uint32_t port, RccFrame* frame, int64_t now) override;
    const QbbNetDevice* CheckWay(QbbWay& way, std::string* why) const override;

  private:
    enum Sampling : uint8_t
    {
        ARRIVAL,
        DETERMINISTIC,
        RANDOM
    };

    /// Frames at one input for one output.
    struct Voq : rcc_cioq_voq
    {
        RccFrameQueue frames;
    };

    /// A congestion point on one buffer; without state there is none.
    struct CongestionPoint
    {
        std::unique_ptr<uint64_t[]> memory;
        rcc_cp* cp{nullptr}; //!< in `memory`; null: no congestion point here
        uint64_t stream{0};  //!< the stream of the draws that choose the source to notify
        uint64_t draws{0};
    };

    struct Port
    {
        Ptr<QbbNetDevice> device;
        CioqSwitch* self;
        uint32_t index;

        // input
        rcc_cioq_input in;
        CongestionPoint inPoint;
        std::vector<std::unique_ptr<Voq>> voqs; //!< by output, made when first used
        RccFrameLine granted;                   //!< frames until they have entered the fabric
        RccFrameLine flying;                    //!< frames until they are in their output buffer
        rcc_cioq_fabric fabric;
        RccEvent refresh, clock;

        // output
        rcc_cioq_output out;
        CongestionPoint outPoint;

        std::unique_ptr<uint64_t[]> lists[2]; //!< memory of the buffers' lists
    };

    void DoDispose() override;
    void RestartDraws() override;
    std::string CheckPort(const Port& port) const;
    std::string CheckSettings() const;
    std::string CheckGroups() const;
    std::string StartPorts();
    void StartPort(Port& port);
    void PlacePoint(CongestionPoint& point, const Port& port, uint32_t id);
    void PlacePoints(Port& port);

    const uint32_t* Outputs(uint32_t destination, uint32_t& count) const;
    CioqRecord* NewRecord(const RccFrame* frame, uint32_t input);
    void Admit(Port& input, const RccFrame* frame, int64_t now);
    void Store(RccFrame* frame, int64_t now);
    void Arbitrate(Port& output, int64_t now);
    void ReleaseInput(CioqRecord* record, int64_t now);
    void Sample(rcc_cioq_buffer& buffer, CongestionPoint& point, CioqRecord* arrived, uint32_t bytes, int64_t now);
    void SendCnm(const CioqRecord& culprit, const rcc_cnm& cnm, int64_t now);
    void Pause(Port& port, int64_t now);
    void KeepAliveAfter(Port& port, int64_t now);

    static void Entered(void* port, int64_t now);
    static void Landed(void* port, int64_t now);
    static void Refresh(void* port, int64_t now);
    static void KeepAlive(void* port, int64_t now);
    static void CnmDue(void* self, int64_t now);

    std::vector<std::unique_ptr<Port>> m_ports; //!< events keep pointers to them
    std::map<uint32_t, std::vector<uint32_t>> m_groups;
    std::deque<CioqRecord> m_records; //!< frames keep pointers to them
    std::vector<CioqRecord*> m_freeRecords;
    Ptr<RccAlgorithm> m_algorithm;
    RccFrameLine m_cnmsDue;
    uint64_t m_stops{0};

    uint64_t m_inputBuffer, m_outputBuffer, m_stop, m_go;
    uint32_t m_keepAliveBytes;
    double m_speedup;
    Time m_latency, m_cnmDelay;
    std::string m_points, m_sampling;
    bool m_keepAlive, m_reliable;
    uint8_t m_class;

    /// The attributes as they were at Start. Frames meet these, since they must leave a buffer as they came.
    struct Running
    {
        uint64_t inputBuffer;
        uint32_t keepAliveBytes;
        int64_t latency, cnmDelay; //!< ns
        bool atInputs, atOutputs;  //!< have congestion points
        Sampling sampling;
        bool keepAlive, reliable;
        uint8_t cls;
    } m_run{};

    TracedCallback<uint32_t, uint64_t, uint64_t> m_inputBytesTrace;
};

} // namespace ns3

#endif /* CIOQ_SWITCH_H */
