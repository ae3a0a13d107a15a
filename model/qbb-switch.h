/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_SWITCH_H
#define QBB_SWITCH_H

#include "ns3/rcc_switch.h"
#include "qbb-net-device.h"
#include "rcc-algorithm.h"
#include "rcc-stream-user.h"
#include "rcc-trace.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup rcc
 * An output-queued switch with one shared buffer: PFC, ECMP, and a congestion
 * point on every port and class it is told to watch.
 *
 * Aggregate it to a node, add the node's QbbNetDevices, set routes and markers,
 * then Start.
 */
class QbbSwitch : public Object, public QbbPortOwner
{
  public:
    /// \return the TypeId with all attributes and trace sources
    static TypeId GetTypeId();
    QbbSwitch();
    ~QbbSwitch() override;

    /**
     * TracedCallback signature of what a congestion point does.
     * \param port whose queue it watches; of a CNM, the port that it leaves through
     * \param frame that was marked, or the CNM; valid during the call only
     */
    using PortFrameTracedCallback = void (*)(uint32_t port, const RccFrame& frame);

    /**
     * Add a port. Before Start.
     * \param device of the switch's node, connected by the time of Start
     * \return the number of the new port
     */
    uint32_t AddPort(Ptr<QbbNetDevice> device);

    /// \return number of ports
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /**
     * \param port below GetNPorts()
     * \return its device
     */
    Ptr<QbbNetDevice> GetPort(uint32_t port) const
    {
        return m_ports[port]->device;
    }

    /**
     * Frames for a host leave through one of these ports, by the flow's hash.
     * \param host node id
     * \param ports in a fixed order
     */
    void SetRoute(uint32_t host, const std::vector<uint32_t>& ports);

    /// Remove all routes, to set others.
    void ClearRoutes();

    /**
     * \param host node id
     * \param hash RccFrame::hash of the flow
     * \return the port that the flow's frames for the host leave through; GetNPorts() without a route
     */
    uint32_t GetOutput(uint32_t host, uint32_t hash) const;

    /**
     * \param host node id
     * \return the first of the ports of its route; GetNPorts() without one
     */
    uint32_t GetFirstOutput(uint32_t host) const;

    /// \param host node id \return all ports of its route; empty without one
    std::vector<uint32_t> GetRoute(uint32_t host) const;

    /**
     * Put an algorithm's congestion point on a class of every port. A class can
     * have several; each one sees the frames of its own kind (ECN-capable, CN-tagged).
     * Nothing happens if the algorithm needs no switch support. Before Start.
     * \param cls traffic class, 0..7
     * \param algorithm whose congestion point it is
     */
    void AddMarker(uint8_t cls, Ptr<RccAlgorithm> algorithm);

    /**
     * Set what the random numbers of the congestion points follow from, beside the node id. Before Start.
     * \param seed any number
     */
    void SetSeed(uint64_t seed)
    {
        m_seed = seed;
    }

    /**
     * Let them follow from this number instead of the node id, and from ns-3's seed and run number as well; see
     * RccStreamUser. Before Start.
     * \param stream not negative
     * \return 1, the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Lay out the buffer for the ports as they are. Call once, before traffic.
     * \return empty, or why the configuration cannot be lossless
     */
    std::string Start();

    /// \return the shared buffer, for the functions of rcc_switch.h that read it; after Start
    const rcc_mmu& GetMmu() const
    {
        return *m_mmu;
    }

    /// \return number of frames that found no room or no route
    uint64_t GetDroppedPackets() const
    {
        return m_dropped;
    }

    /**
     * \param cls traffic class, 0..7
     * \return number of frames of the class that found no room or no route; a lossless class always has room
     */
    uint64_t GetDroppedPackets(uint8_t cls) const
    {
        return m_droppedOf[cls];
    }

    /// \return number of frames that congestion points have marked
    uint64_t GetMarkedPackets() const
    {
        return m_marked;
    }

    /// \return number of congestion notification messages made here
    uint64_t GetCnmsSent() const
    {
        return m_cnms;
    }

    // QbbPortOwner
    void FrameArrived(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameLeaves(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameLost(uint32_t port, RccFrame* frame, int64_t now) override;
    void LinkDown(uint32_t port, int64_t now) override;

  private:
    /// A congestion point on one port and class.
    struct Marker
    {
        rcc_cp* cp; //!< in `memory`
        std::unique_ptr<uint64_t[]> memory;
        uint8_t cls;
        bool cnTagged; //!< for frames with a CN-TAG, else for ECN-capable ones

        bool Sees(const RccFrame* f) const
        {
            return f->cls == cls && (cnTagged ? f->cnTagged : f->ecn != RccEcn::NOT_ECT);
        }
    };

    struct Port
    {
        Ptr<QbbNetDevice> device;
        std::vector<Marker> markers;
        RccEvent refresh; //!< of the pauses that this port keeps up
        QbbSwitch* self;
        uint32_t index;
        uint16_t quanta; //!< that a pause asks for
    };

    struct Route
    {
        uint32_t first, count; //!< in m_routePorts
    };

    void DoDispose() override;
    std::string CheckLink(uint32_t port, const QbbNetDevice& device, const QbbChannel& channel) const;
    static void Refresh(void* port, int64_t now);
    void Pause(uint32_t port, uint8_t cls, int64_t now);
    const Route* FindRoute(uint32_t host) const;
    uint32_t Output(const Route& route, uint64_t flow) const;
    rcc_mmu_port MmuPort(const Port& port) const;
    std::string StartMmu();
    void StartMarkers(Port& port);
    uint16_t Quanta(uint64_t rate) const;
    void Drop(uint32_t port, RccFrame* frame, int64_t now);
    void Flood(uint32_t port, RccFrame* frame, int64_t now);
    void Apply(rcc_cp_action action, uint32_t port, RccFrame* frame, const rcc_cnm& cnm, int64_t now);
    void ReportMark(uint32_t port, const RccFrame& frame);
    void SendCnm(const RccFrame* frame, const rcc_cnm& cnm, int64_t now);

    std::vector<std::unique_ptr<Port>> m_ports; //!< events keep pointers to them
    std::vector<Route> m_routes;                //!< by host node id
    std::vector<uint32_t> m_routePorts;
    std::vector<std::pair<uint8_t, Ptr<RccAlgorithm>>> m_algorithms;
    std::unique_ptr<uint64_t[]> m_mmuMemory;
    rcc_mmu* m_mmu{nullptr}; //!< in m_mmuMemory; null until Start
    Ptr<RccFramePool> m_pool;
    uint64_t m_seed{1};
    RccStreamUser m_user;
    uint32_t m_salt{0};
    uint64_t m_dropped{0}, m_marked{0}, m_cnms{0};
    uint64_t m_droppedOf[QBB_CLASSES] = {};

    uint64_t m_sprayed{0}; //!< data frames that took a path of their own

    uint64_t m_bufferSize, m_poolSize, m_headroom, m_staticThreshold;
    DataRate m_alphaRate;
    uint32_t m_headroomDelays;
    Time m_pauseTime;
    bool m_perPacket;
    double m_alpha;
    uint8_t m_losslessMask, m_controlClass;
    uint32_t m_maxFrame;
    uint16_t m_pauseQuanta;

    uint32_t m_watch{0}; //!< bit 0: of m_markTrace
    RccTrace<uint32_t, const RccFrame&> m_markTrace{m_watch, 1};
    TracedCallback<uint32_t, const RccFrame&> m_cnmSentTrace;
};

} // namespace ns3

#endif /* QBB_SWITCH_H */
