/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_SWITCH_BASE_H
#define QBB_SWITCH_BASE_H

#include "ns3/qbb-net-device.h"
#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-compiler.h"
#include "ns3/rcc-random.h"
#include "qbb-routes.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rcc
 * What the switches have in common: ports, routes, drops, broadcasts, and the making of congestion points and of
 * congestion notification messages.
 *
 * Aggregate a switch to a node, add the node's QbbNetDevices, set routes and algorithms, then Start.
 */
class QbbSwitchBase : public Object, public QbbPortOwner
{
  public:
    /// \return the TypeId, which has no attributes
    static TypeId GetTypeId();

    /// \param leastFrame MaxFrame is not below this unless it is set, bytes \param routeCalls what sets its routes
    QbbSwitchBase(uint32_t leastFrame, const char* routeCalls);

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
        return static_cast<uint32_t>(m_devices.size());
    }

    /**
     * \param port below GetNPorts()
     * \return its device
     */
    Ptr<QbbNetDevice> GetPort(uint32_t port) const
    {
        return m_devices[port];
    }

    /**
     * Let the random numbers of congestion points and paths follow from this seed instead of ns-3's seed and run; see
     * RccStreamUser. Before the first frame.
     * \param seed any number
     */
    void SetSeed(uint64_t seed);

    /**
     * Let them follow from this number instead of the node id; see RccStreamUser. Before the first frame.
     * \param stream not negative
     * \return 1, the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Check and lay out, when all ports are connected. A switch that has not started when the simulation does starts
     * then, and aborts with the reason if it cannot. After a reason Start may be called again; a switch that has
     * started refuses, "the switch has started already", and stays as it is.
     *
     * \return empty, or why the configuration cannot work
     */
    RCC_NODISCARD virtual std::string Start() = 0;

    /**
     * Which host is reached through which ports.
     * \return the routes, to be set before traffic or between two events
     */
    QbbRoutes& GetRoutes()
    {
        return m_routes;
    }

    /// \copydoc GetRoutes
    const QbbRoutes& GetRoutes() const
    {
        return m_routes;
    }

    // QbbPortOwner
    std::string DescribeStart() const override;
    const QbbNetDevice* CheckWay(QbbWay& way, std::string* why) const override;

    /// \return number of frames that found no space or no route
    uint64_t GetDroppedPackets() const
    {
        return m_dropped;
    }

    /**
     * \param cls traffic class, 0..7
     * \return number of frames of the class that found no space or no route; a lossless class always has space, unless
     * an upstream ignores PFC
     */
    uint64_t GetDroppedPackets(uint8_t cls) const
    {
        return m_droppedOf[cls];
    }

    /// \return number of congestion notification messages sent
    uint64_t GetCnmsSent() const
    {
        return m_cnms;
    }

  protected:
    /// The error of Start in a switch that has started.
    static constexpr const char* ALREADY_STARTED = "the switch has started already";

    /// The ports to a destination.
    using Route = QbbRoutes::Route;

    /**
     * Declare the attributes that every switch has, of the switch's own type.
     * \param tid its TypeId
     * \return tid
     */
    static TypeId AddCommon(TypeId tid);

    /// Give m_maxFrame its value and note the rates of the ports, for Start. \param space bytes of telemetry, which are
    /// added
    void StartMaxFrame(uint32_t space);

    /// Give m_maxFrame the value back that it had before StartMaxFrame.
    void UndoMaxFrame();

    void DoInitialize() override;
    void DoDispose() override;

    /// Abort if the switch has started and has no such port. \param ports of a route
    void CheckRoute(const std::vector<uint32_t>& ports) const;

    /// \return empty, or which port is on no link, or that a route leads through one that is not there
    std::string CheckRoutes() const;

    /// \return id of the switch's node
    uint32_t GetNodeId() const
    {
        return m_node;
    }

    /// \return "the switch has N ports"
    std::string DescribePorts() const;

    /// \param port of which both ends of the link must have one rate \return empty, or what the rates are
    std::string CheckRates(uint32_t port) const;

    /// \param port that is on a link \return the device at the other end; null if there is none
    Ptr<QbbNetDevice> GetPeer(uint32_t port) const;

    /// \param port that asks for a pause \param quanta of the pause \return when to ask again, ns
    int64_t RefreshAfter(uint32_t port, uint16_t quanta) const;

    /// \param quanta that a pause asks for \return empty, or why it ends before it can be refreshed
    std::string CheckQuanta(uint16_t quanta) const;

    /**
     * Make a congestion point.
     * \param memory its memory, which is allocated here
     * \param algorithm of which it is
     * \param port it is for
     * \param number of the congestion point among those of the port; the stream of its draws follows from it
     * \return the congestion point, in `memory`
     */
    rcc_cp* StartPoint(std::unique_ptr<uint64_t[]>& memory, RccAlgorithm& algorithm, uint32_t port, uint32_t number);

    /// \param port as for StartPoint \param number of the stream among those of the port \return the stream
    uint64_t StreamOf(uint32_t port, uint32_t number);

    /// \param cls traffic class \return stream of the draws by which it chooses paths
    uint64_t PathStream(uint8_t cls);

    /// Take the streams anew in a switch that has started and has seen no frame.
    virtual void RestartDraws() = 0;

    /// Fire the trace source Drop of a port and give a frame back. \param port where \param frame of it \param now ns
    void Drop(uint32_t port, RccFrame* frame, int64_t now);

    /**
     * Replicate a broadcast: every host gets a frame of its own along the host's route, as a VXLAN gateway does it. The
     * switches that follow see no broadcasts, so nothing can loop, whatever the topology.
     * \param port it arrived at \param frame the broadcast, which is given back \param now ns
     */
    void Flood(uint32_t port, RccFrame* frame, int64_t now);

    /**
     * Make a congestion notification message.
     * \tparam Sampled RccFrame, or another struct with these fields of one
     * \param sampled whose source is notified
     * \param cnm what the congestion point says
     * \return the message, on no queue
     */
    template <class Sampled> RccFrame* NewCnm(const Sampled& sampled, const rcc_cnm& cnm)
    {
        RccFrame* f = m_pool->Get();
        f->kind = RccFrameKind::CNM;
        f->bytes = CNM_BYTES;
        f->src = sampled.dst;
        f->dst = sampled.src;
        f->dstQp = sampled.srcQp;
        f->hash = sampled.hash;
        f->tag.vlan = sampled.tag.vlan;
        f->cls = m_controlClass;
        f->qfb = cnm.qfb;
        f->qoff = static_cast<int32_t>(cnm.qoff);
        f->qdelta = static_cast<int32_t>(cnm.qdelta);
        return f;
    }

    std::vector<Ptr<QbbNetDevice>> m_devices; //!< by port
    QbbRoutes m_routes;                       //!< the routes to the hosts
    Ptr<RccFramePool> m_pool;                 //!< source of frames
    rcc_paths m_paths{};                      //!< the choice among the ports of a route
    bool m_started{false};                    //!< Start found no mistake
    uint64_t m_cnms{0};                       //!< CNMs sent

    uint8_t m_controlClass; //!< attribute ControlClass
    uint32_t m_maxFrame;    //!< attribute MaxFrame; 0 before Start: it follows from what the hosts send
    uint16_t m_pauseQuanta; //!< attribute PauseQuanta

    TracedCallback<uint32_t, const RccFrame&> m_cnmSentTrace; //!< trace source CnmSent

  private:
    void RequireNoFrames(const char* call) const;
    bool HasSeenFrames() const;
    bool MayBeCut() const;
    void SetMaxFrame(uint32_t bytes);
    uint32_t GetMaxFrame() const;
    uint32_t FindLargestFrame() const;
    bool HasFasterPorts() const;

    uint32_t m_node{0};
    RccStreamUser m_streams;
    const uint32_t m_leastFrame;
    const char* const m_routeCalls; //!< names of the calls that set the routes, for messages
    uint32_t m_followed{0};         //!< bytes that StartMaxFrame found; 0: MaxFrame is set
    uint32_t m_room{0};             //!< bytes of telemetry that StartMaxFrame added
    std::vector<uint64_t> m_rates;  //!< bit/s that StartMaxFrame found, by port
    bool m_follows{true};           //!< MaxFrame is not set
    uint64_t m_initialRoutes{0};    //!< QbbRoutes::GetChanges when the simulation started
    uint64_t m_dropped{0};
    uint64_t m_droppedOf[QBB_CLASSES] = {};
};

} // namespace ns3

#endif /* QBB_SWITCH_BASE_H */
