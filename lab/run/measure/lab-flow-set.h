/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FLOW_SET_H
#define LAB_FLOW_SET_H

#include "lab-results.h"

#include "ns3/rcc-event.h"
#include "ns3/rcc-gateway.h"
#include "ns3/rdma-client.h"
#include "ns3/rdma-path.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// Settings that one flow may have of its own.
struct LabFlowOptions
{
    Ptr<RccAlgorithm> algorithm; //!< null: the run's
    uint64_t window{0};          //!< RdmaNic::SetWindow, bytes
    int64_t stop{-1};            //!< when it ends at the latest, ns; -1 = never
    bool variableWindow{false};
    uint8_t cls{QBB_RDMA_CLASS};
};

/**
 * The flows of a run. Either their queue pairs exist from the beginning (Add), or from the start to the end of each
 * (AddPath and AddArrival, in the order of the starts); not both in one run.
 */
class LabFlowSet
{
  public:
    static const uint32_t NO_HALF = UINT32_MAX;

    struct Flow
    {
        Ptr<RdmaClient> client; //!< null: an arrival that has not started, or has ended
        Ptr<RdmaNic> from, to;
        uint32_t src, dst;      //!< node ids
        int64_t start;          //!< ns
        uint64_t bytes;         //!< payload of all messages; 0 = without end
        uint32_t path;          //!< the path of an arrival, or NO_PATH
        int64_t fct{-1};        //!< ns; -1: not ended
        uint64_t atWindow{0};   //!< payload delivered when the window began
        uint64_t inWindow{0};   //!< payload delivered in the window
        uint64_t inHalf{0};     //!< payload delivered in its first half
        uint64_t delivered{0};  //!< payload delivered when the queue pair was closed
        bool over{false};       //!< the run is: `delivered` holds
        uint32_t half{NO_HALF}; //!< the receiver's half, once its own stop time has ended the flow
        bool givenUp{false};    //!< at the retry limit, before its own stop time
        int64_t stop{-1};       //!< StopTime of its client, ns; -1 = none
        uint64_t atStop{0};     //!< payload delivered until then: the rest was on its way
        LabFlowOptions own;

        /// \return payload delivered until now
        uint64_t GetDelivered() const;
        /// \return mean in the window, bit/s; of a finite arrival, over its life. \param window its length, s
        double GetGoodput(double window) const;
    };

    static const uint32_t NO_PATH = UINT32_MAX;
    static const size_t RUN_BEGIN = SIZE_MAX; //!< in place of a flow that is waited for

    /// A flow for which others wait.
    struct Before
    {
        size_t flow;   //!< by its number; RUN_BEGIN: the beginning of the run
        bool received; //!< the last byte has arrived; false: it is acknowledged, which its sender knows
        int64_t later; //!< time after that at which it counts, ns
    };

    /// Called with the number and completion time (ns) of a flow that ends.
    using Ended = std::function<void(size_t, int64_t)>;

    /// \param algorithm of flows that have none of their own \param ended called for each flow that ends
    LabFlowSet(Ptr<RccAlgorithm> algorithm, const Ended& ended)
        : m_algorithm(algorithm),
          m_ended(ended),
          m_client(MakeCallback(&LabFlowSet::HandleClient, this))
    {
    }

    /// There will be no simulation: flows of Add need no application on their nodes.
    void OnlyCheck()
    {
        m_onlyChecked = true;
    }

    /**
     * Add a flow.
     * \param from sender
     * \param to receiver
     * \param start ns
     * \param bytes payload of a message; 0 = without end
     * \param messages sent one after the other; 0 = without end
     * \param algorithm its own congestion control; null: the run's
     * \return its application, whose other attributes may be set until it starts
     */
    Ptr<RdmaClient> Add(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes, uint64_t messages = 1,
                        Ptr<RccAlgorithm> algorithm = nullptr);

    /// A flow of Add has a client that stops. \param flow its number \param stop ns
    void StopsAt(size_t flow, int64_t stop);

    /// \param time ns \return whether the clients of all flows stop before
    bool AllStopBefore(int64_t time) const;

    /**
     * Let flows of Add with one message wait for others: they start `delay` after enough of those count.
     * \param first number of the first of them; one is held once \param count how many follow one another
     * \param before flows of Add that end; RecordReceived is called before if one counts when its last byte arrives
     * \param needs how many of them must count; 0: all \param delay ns
     */
    void AddWait(size_t first, size_t count, const std::vector<Before>& before, uint64_t needs, int64_t delay);

    /// Flows that cannot start before the end of a run.
    struct Late
    {
        size_t count;   //!< how many
        size_t endless; //!< how many of them have no end
        int64_t first;  //!< when the first of them may start, ns
        bool waits;     //!< that one waits for others, and may start later still
    };

    /// \param end of the run, ns \return the flows that cannot start before, whatever happens. Before Start
    Late FindLate(int64_t end);

    /// Note when the last byte of every flow arrives. Before the simulation; all flows are of Add.
    void RecordReceived();

    /// \return pairs of nodes of which one sees what flows of the other wait for: one rank must have both
    std::set<std::pair<uint32_t, uint32_t>> GetWaitsAcross() const
    {
        return m_across;
    }

    /// Add links from one host to another, for AddArrival. \return the path's number; equal links are one path
    uint32_t AddPath(const std::vector<RccHop>& path);

    /**
     * Add a flow whose queue pair exists from its start to its end only. Completion times are compared with those on
     * the idle path.
     * \param from sender
     * \param to receiver
     * \param start ns
     * \param bytes payload; 0 = without end
     * \param path of AddPath
     * \param own settings of this flow
     */
    void AddArrival(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes, uint32_t path,
                    const LabFlowOptions& own = LabFlowOptions());

    /// A transfer that is none of the flows runs beside them: the simulation does not end before. Before Start
    /// \param node at which it ends: EndBeside is called by the rank that has it
    void AddBeside(Ptr<Node> node);

    /// A transfer of AddBeside has ended.
    void EndBeside();

    /// \return how many events have asked whether the simulation ends with its last flow; each rank has them
    uint64_t CountStopEvents() const
    {
        return m_stopEvents;
    }

    /**
     * Schedule the first arrival. The simulation ends when the last flow has, after the longest delay of a link. If a
     * flow was ended by its own stop time, it goes on until no frame is in the network, for at most 100 ms.
     */
    void Start();

    /// In one of several ranks, after the simulation: learn from the others what became of the flows.
    void Gather(RccGateway& ranks);

    /// Remember what every flow has delivered at the begin of the window, and count from there to its middle and end.
    void BeginWindow();
    void HalveWindow();
    void EndWindow();

    /// \return the congestion control of a flow: its own, or the run's \param flow of this set
    const Ptr<RccAlgorithm>& GetAlgorithm(const Flow& flow) const
    {
        return flow.own.algorithm ? flow.own.algorithm : m_algorithm;
    }

    const std::vector<Flow>& GetFlows() const
    {
        return m_flows;
    }

    /// \return the NICs of all flows, each once
    const std::vector<Ptr<RdmaNic>>& GetNics() const
    {
        return m_nics;
    }

    bool HasArrivals() const
    {
        return !m_paths.empty();
    }

    /// \return payload of all flows that have an end
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// \return whether a flow has no end
    bool IsEndless() const
    {
        return m_endless;
    }

    /// \return start of the first flow, ns; there is one
    int64_t GetFirstStart() const
    {
        return m_firstStart;
    }

    /// \return start of the last flow, ns
    int64_t GetLastStart() const
    {
        return m_lastStart;
    }

    /// \return start of the last flow that has no end, ns; 0 without one
    int64_t GetLastEndlessStart() const;

    /// \return when the first of the flows without an end was given up at the retry limit, ns; INT64_MAX: none was
    int64_t GetFirstGivenUp() const;

    /// \return flows with an end that have not reached it
    uint64_t CountIncomplete() const
    {
        return m_unfinished + m_cutShort;
    }

    /// \return flows with the run's algorithm that do not wait for others \param dst the node that they go to;
    /// UINT32_MAX: any
    size_t CountAtOnce(uint32_t dst) const;

    /// \return hosts that send
    uint32_t CountSenders() const;

    /// \return bit/s of the links of hosts that send
    double GetSendersRate() const;

    /**
     * \param arrivals only those with a path, with their ideal completion times
     * \param ackEvery every n-th packet is acknowledged
     * \return flows that have ended
     */
    std::vector<LabFlowEnd> GetEnded(bool arrivals, uint32_t ackEvery) const;

    /// Write one row per flow. \param path of the file. \param window its length, s
    void WriteCsv(const std::string& path, double window) const;

  private:
    /// Flows of one host that wait for the same ones.
    struct Wait
    {
        size_t first, count; //!< flows
        uint64_t left;       //!< flows that must count first
        int64_t delay;       //!< ns
    };

    /// One of the flows that a wait counts.
    struct Counted
    {
        size_t what;   //!< twice the number of the flow, and one if it counts when it has arrived
        size_t wait;   //!< number of the wait
        int64_t later; //!< ns
    };

    /// Which flows the receiving halves of a NIC have.
    struct Receiver
    {
        LabFlowSet* set;
        Ptr<RdmaNic> nic;
        std::deque<size_t> flows; //!< flows to this NIC whose half is not known yet
        std::vector<std::pair<size_t, uint64_t>>
            halves; //!< the flow of each half, SIZE_MAX if not known, and its bytes

        /// \param half index at the NIC \return whether its flow is known
        bool Knows(size_t half) const
        {
            return half < halves.size() && halves[half].first != SIZE_MAX;
        }
    };

    void SortCounted();
    std::vector<Counted>::const_iterator FindCounted(size_t what) const;
    void CountForWaits(size_t what);
    void CountFor(size_t wait);
    void Release(size_t wait);
    void ScheduleFor(size_t wait, int64_t later, void (LabFlowSet::*what)(size_t));
    static void FindHalf(Receiver& receiver, size_t half);
    static void HandleDelivered(Receiver* receiver, uint32_t half, const RccFrame& frame);
    Flow& NewFlow(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes);
    Ptr<RdmaClient> NewClient(size_t flow) const;
    void OpenArrivals();
    void NoteStop(size_t flow);
    void StopFlow(size_t flow);
    void CountEnd();
    void EndIfDone();
    void CountLocal(RccGateway& ranks);
    void RankEnded(int64_t when, bool cut);
    void HandleNotice(const RccGateway::Notice& notice);
    void LookForFrames(int64_t now);
    bool IsGivenUp(const Flow& flow) const;
    static void HandleStop(void* self, int64_t now);
    static void HandleFailed(LabFlowSet* self, const RdmaNic* nic, uint32_t qp);
    void HandleCompleted(size_t flow, int64_t ns);
    static void HandleArrival(LabFlowSet* self, size_t flow, Ptr<RdmaClient> client, int64_t ns);
    void HandleClient(Ptr<RdmaClient> client, int64_t ns);

    Ptr<RccAlgorithm> m_algorithm;
    bool m_onlyChecked{false};
    /// The client of Add's last flow: a copy takes a tenth of the time of a new one.
    Ptr<RdmaClient> m_pattern;
    std::pair<uint64_t, uint64_t> m_patternOf;
    std::vector<Flow> m_flows;
    std::vector<std::vector<RccHop>> m_paths;
    std::map<std::vector<uint64_t>, uint32_t> m_pathOf; //!< number of a path by its links
    Ended m_ended;
    std::vector<Wait> m_waits;
    std::vector<Counted> m_counted;                   //!< from SortCounted on by `what`
    std::set<std::pair<uint32_t, uint32_t>> m_across; //!< nodes, see GetWaitsAcross
    bool m_stops{false};                              //!< a client stops
    std::vector<int64_t> m_received;                  //!< when the last byte of each flow arrived, ns; empty: not noted
    std::vector<std::unique_ptr<Receiver>> m_receivers; //!< addresses are bound to callbacks
    size_t m_arrived{0};                                //!< flows before this one have arrived
    std::vector<size_t> m_toRelease;                    //!< arrivals that have ended and still have a queue pair
    Callback<void, Ptr<RdmaClient>, int64_t>
        m_client;         //!< HandleClient; one for all, as each of its own takes 300 bytes
    bool m_sorted{false}; //!< m_flowOf is
    std::vector<std::pair<const RdmaClient*, size_t>>
        m_flowOf; //!< flows of Add; from the first end on by the client's address
    std::vector<Ptr<RdmaNic>> m_nics;
    std::unordered_map<RdmaNic*, uint32_t> m_nicsKnown; //!< ids of their nodes
    bool m_endless{false};
    uint64_t m_unfinished{0}, m_cutShort{0};
    uint64_t m_bytes{0};
    int64_t m_firstStart{INT64_MAX}, m_lastStart{0};
    std::map<std::pair<const RdmaNic*, uint32_t>, int64_t> m_failed; //!< when queue pairs were given up, ns
    int64_t m_firstGivenUp{INT64_MAX}; //!< ns; for flows whose queue pair is closed or of another rank
    uint32_t m_ranksLeft{1};           //!< ranks whose flows have not all ended
    int64_t m_stopAt{0};               //!< when the simulation may end, ns
    RccEvent m_stop;
    std::vector<Ptr<Node>> m_nodesBeside; //!< the nodes of AddBeside
    uint64_t m_beside{0};                 //!< transfers of AddBeside that have not ended
    bool m_cut{false};                    //!< a flow was ended by its stop time: frames of it may be under way
    bool m_looked{false};                 //!< m_framesLeft holds
    uint32_t m_framesLeft{0};             //!< in the network when m_stop was there last; of all ranks
    uint64_t m_stopEvents{0};
};

} // namespace ns3

#endif /* LAB_FLOW_SET_H */
