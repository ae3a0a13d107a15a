/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_SWITCH_H
#define QBB_SWITCH_H

#include "ns3/qbb-dscp-map.h"
#include "qbb-switch-base.h"

#include "ns3/nstime.h"
#include "ns3/rcc_switch.h"
#include "ns3/rcc_trim.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class QbbSpray;

/**
 * \ingroup rcc
 * An output-queued switch with one shared buffer: PFC, ECMP, and a congestion
 * point on every port and class it is told to watch.
 *
 * Aggregate it to a node, add the node's QbbNetDevices, set attributes, routes and markers,
 * then Start: what that lays out does not follow attributes that change later.
 */
class QbbSwitch : public QbbSwitchBase
{
  public:
    /// \return the TypeId with all attributes and trace sources
    static TypeId GetTypeId();
    QbbSwitch();

    /**
     * Frames for a host leave through one of these ports, by the flow's hash.
     * \param host node id
     * \param ports in a fixed order; each is there by the time of Start
     */
    void SetRoute(uint32_t host, const std::vector<uint32_t>& ports)
    {
        CheckRoute(ports);
        m_routes.Set(host, ports);
    }

    /// Remove all routes, to set others.
    void ClearRoutes()
    {
        m_routes.Clear();
    }

    /// Have routes lead through this switch alone wherever it is one of several next hops at the same distance, as
    /// through an NVSwitch inside a server; before the routes are set. \param preferred whether they do
    void SetPreferred(bool preferred)
    {
        m_preferred = preferred;
    }

    /// \return whether SetPreferred was called
    bool IsPreferred() const
    {
        return m_preferred;
    }

    /**
     * \param host node id
     * \param hash RccFrame::hash of the flow
     * \param cls class of its frames, which decides where LoadBalancing has rules for classes
     * \return the port that the flow's frames for the host leave through; GetNPorts() without a route
     */
    uint32_t GetOutput(uint32_t host, uint32_t hash, uint8_t cls = QBB_RDMA_CLASS) const;

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
     * Let queue pairs pass for whose algorithm the class of their data has no congestion point here: nothing marks
     * their frames or adds telemetry to them. Without this call such a queue pair ends the program.
     */
    void AllowUnmarked()
    {
        m_allowsUnmarked = true;
    }

    /**
     * Put a policer before a port: frames that the switch forwards to it beyond a rate and a burst are dropped, and
     * never paused or marked. Frames of all classes count. Before Start.
     * \param port index of the port
     * \param rate that passes, not 0; the bytes of a frame without preamble and gap count
     * \param burst bytes that may pass at once, 1 to 2^30; larger frames never pass
     */
    void SetPolicer(uint32_t port, DataRate rate, uint32_t burst);

    /// \return bytes of a frame after which it may leave, the attribute CutThrough; 0 = when all of it has come
    uint32_t GetCutThrough() const
    {
        return m_cutThrough;
    }

    /// \return number of frames of which a cut-through switch waits for the last bit, as their way out is faster
    uint64_t GetHeldFrames() const
    {
        return m_held;
    }

    /// \param port of arrival \return the first of those frames there, which next leads on from; null if there is none
    const RccFrame* GetHeld(uint32_t port) const
    {
        return m_ports[port].held ? m_ports[port].held->Head() : nullptr;
    }

    /// \return number of frames that policers have dropped; they count as dropped packets too
    uint64_t GetPolicedPackets() const
    {
        return m_policed;
    }

    /// \return number of frames dropped by policers and by trimming, as the settings ask for; they count as dropped
    /// packets too
    uint64_t GetIntendedDrops() const
    {
        return m_intendedDrops;
    }

    /// \return data packets of a flow may take several paths, by EcmpPerPacket or LoadBalancing
    bool SpraysData() const;

    /// \return number of data frames that this switch has trimmed
    uint64_t GetTrimmedPackets() const
    {
        return m_trimmed;
    }

    RCC_NODISCARD std::string Start() override;

    /// Begin the congestion points anew, as a switch that restarts does; after Start.
    void ForgetMarkers();

    /**
     * Give congestion points that average over the base RTT (HPCC with PINT) that of the network, and begin them anew;
     * after Start and before the first frame. Without it they take the algorithm's parameter base_rtt, or 13 us.
     * \param ns base RTT, ns; 0 = not known
     */
    void SetBaseRtt(int64_t ns);

    /// \return the shared buffer, for the functions of rcc_switch.h that read it; after Start
    const rcc_mmu& GetMmu() const
    {
        return *m_mmu;
    }

    /// \return number of frames that congestion points have marked
    uint64_t GetMarkedPackets() const
    {
        return m_marked;
    }

    // QbbPortOwner
    void FrameArrived(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameLeaves(uint32_t port, RccFrame* frame, int64_t now) override;
    void PrefetchArrival(uint32_t port, const RccFrame& frame, uint32_t step) override;
    void FrameLost(uint32_t port, RccFrame* frame, int64_t now) override;
    void LinkDown(uint32_t port, int64_t now) override;
    const QbbNetDevice* CheckWay(QbbWay& way, std::string* why) const override;

  private:
    /// A congestion point on one port and class.
    struct Marker
    {
        rcc_cp* cp; //!< in `memory`
        std::unique_ptr<uint64_t[]> memory;
        uint8_t cls;     //!< class of the frames that it sees; QBB_CLASSES: none, as it stamps
        uint8_t stamped; //!< class into whose telemetry it writes; QBB_CLASSES: none
        uint16_t scale;  //!< scale of the units of that telemetry, as in rcc_wire_int
        bool pint;       //!< that telemetry is RCC_INT_PINT
        bool cnTagged;   //!< it sees frames with a CN-TAG; false: ECN-capable ones

        bool Sees(const RccFrame* f) const
        {
            return f->cls == cls && (cnTagged ? f->cnTagged : f->ecn != RccEcn::NOT_ECT);
        }
    };

    struct Port
    {
        Ptr<QbbNetDevice> device;
        std::vector<Marker> markers;
        bool marksJoining{false}; //!< one of them looks at frames that join its queue
        bool marksLeaving{false}; //!< one of them looks at frames that leave its queue
        uint16_t quanta;          //!< the time that a pause asks for, in 512 bit times
        uint32_t index;
        QbbSwitch* self;
        std::unique_ptr<RccEvent> refresh;  //!< refreshes the pauses that this port keeps up; null until the first one
        std::unique_ptr<RccFrameLine> held; //!< cut-through: frames that must come as a whole; null until the first
    };

    void DoDispose() override;
    void RestartDraws() override;
    static void Refresh(void* port, int64_t now);
    void Pause(uint32_t port, uint8_t cls, int64_t now);
    bool Release(const RccFrame* frame, int64_t now);
    void Classify(RccFrame* frame) const;
    std::string CheckPorts() const;
    uint32_t GetTelemetryRoom() const;
    void Stamp(const Port& out, RccFrame* frame, int64_t now);
    void Write(const Port& out, const Marker& marker, RccFrame* frame, int64_t now);
    std::string CheckCutThrough() const;
    void Hold(uint32_t port, RccFrame* frame, int64_t now);
    static void HeldArrived(void* port, int64_t now);
    void RequireStarted() const;
    bool ApplyIngressFeatures(uint32_t port, uint32_t output, RccFrame* frame, int64_t now);
    bool Store(uint32_t port, const Port& out, const RccFrame* frame, int64_t now);
    uint32_t Output(const Route& route, uint32_t flow, uint8_t cls) const;
    static TypeId AddPaths(TypeId tid);
    std::string StartPaths();
    uint32_t PickPath(const Route& route, RccFrame* frame, int64_t now);
    void PathTaken(int64_t now);
    uint32_t FlowPath(const Route& route, uint32_t flow, uint8_t cls) const;
    static TypeId AddTrimming(TypeId tid);
    std::string StartTrimming();
    bool Trim(const Port& out, RccFrame* frame, bool admitted);
    bool StoreHeader(uint32_t port, const Port& out, RccFrame* frame, int64_t now);
    std::string StartMmu();
    std::string StartPorts();
    void TellDevices() const;
    void StartMarkers(Port& port);
    void MarkJoining(Port& out, RccFrame* frame, int64_t now);
    void Apply(rcc_cp_action action, uint32_t port, RccFrame* frame, const rcc_cnm& cnm, int64_t now);
    void SendCnm(const RccFrame* frame, const rcc_cnm& cnm, int64_t now);

    std::vector<Port> m_ports;     //!< events keep pointers to them
    std::vector<rcc_trim> m_trims; //!< settings of each port; empty: no trimming
    std::vector<std::pair<uint8_t, Ptr<RccAlgorithm>>> m_algorithms;
    std::map<uint32_t, rcc_policer> m_policers; //!< policers by output port, as they start
    std::map<uint32_t, rcc_policer> m_policing; //!< policers by output port, from Start on
    std::unique_ptr<uint64_t[]> m_mmuMemory;
    rcc_mmu* m_mmu{nullptr}; //!< in m_mmuMemory; null until Start
    uint64_t m_marked{0};
    uint64_t m_policed{0};
    uint64_t m_intendedDrops{0};
    uint64_t m_held{0};
    std::shared_ptr<QbbSpray> m_spray; //!< the choice of a path by another rule than those of rcc_path.h; null: none
    bool m_picksData{false};           //!< the last PickPath was for a data frame
    uint64_t m_trimmed{0};
    bool m_preferred{false};      //!< see SetPreferred
    bool m_allowsUnmarked{false}; //!< AllowUnmarked was called
    bool m_unusual{true};         //!< a frame may come before Start or its last bit, change its class or meet a policer

    uint64_t m_bufferSize, m_poolSize, m_headroom, m_staticThreshold;
    DataRate m_alphaRate;
    uint32_t m_headroomDelays;
    Time m_pauseTime;
    uint32_t m_resumeGap, m_cutThrough;
    bool m_perPacket, m_answersWithData;
    double m_alpha, m_egressAlpha;
    uint8_t m_losslessMask;
    QbbDscpMap m_dscps;
    std::string m_balancing;
    uint32_t m_samples, m_memory, m_flowlets;
    Time m_flowletGap, m_trimRtt;
    uint64_t m_trimThreshold, m_trimLimit;
    uint32_t m_trimSize;
    uint8_t m_trimClass;

    TracedCallback<uint32_t, const RccFrame&> m_markTrace, m_trimTrace;
};

} // namespace ns3

#endif /* QBB_SWITCH_H */
