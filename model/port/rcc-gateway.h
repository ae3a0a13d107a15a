/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_GATEWAY_H
#define RCC_GATEWAY_H

#include "rcc-frame.h"

#include "ns3/rcc-rank.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

class QbbNetDevice;

/**
 * The way to the nodes that other processes ("ranks") of a distributed simulation own. Every rank builds the whole
 * network and opens every queue pair, so that all indices are the same everywhere; it runs the nodes whose system id is
 * its rank, and the others stay idle. Only frames on links between ranks and notices cross, and neither arrives sooner
 * than the delay of such a link. Without a gateway the process owns all nodes.
 *
 * Implemented in mpi/, which a simulation of one process does not need.
 */
class RccGateway
{
  public:
    /// A notice from one rank to another.
    struct Notice
    {
        /// Kinds of notices.
        enum Kind : uint32_t
        {
            CLOSE_RECEIVER, //!< the receiving half `qp` of `node` is closed
            FLOWS_ENDED,    //!< the last flow of the telling rank has ended; `qp`: 1 if frames of it may be under way
            FRAMES_LEFT     //!< the telling rank has `qp` frames, modulo 2^32, see GetFramesAway
        };
        /// Kind of the notice.
        Kind kind;
        uint32_t node; //!< id
        uint32_t qp;   //!< index
        int64_t when;  //!< time at which it happens, ns
    };

    virtual ~RccGateway() = default;

    /// \return the gateway of this process; null: it owns all nodes
    static RccGateway* Current()
    {
        return s_current;
    }

    /// \param gateway of this process, which outlives the simulation; null: it owns all nodes
    static void SetCurrent(RccGateway* gateway)
    {
        s_current = gateway;
        RccRank::Set(gateway ? static_cast<int64_t>(gateway->m_rank) : RccRank::ALL);
    }

    /// The function that makes the gateway of a process, if it is one of several. mpi/ sets it where it is linked.
    using Starter = void (*)(int* argc, char*** argv);

    /// \param start called by Start
    static void SetStarter(Starter start)
    {
        s_start = start;
    }

    /// Join the other ranks if the process was started as one of several; before any function of Simulator. \param argc
    /// of main \param argv of main
    static void Start(int* argc, char*** argv)
    {
        if (s_start)
        {
            s_start(argc, argv);
        }
    }

    /// \param node any \return whether this process owns it
    static bool IsLocal(const Node& node)
    {
        return RccRank::Owns(node);
    }

    /// \return whether this process speaks for all: the first rank, or the only one
    static bool IsFirst()
    {
        return !s_current || s_current->m_rank == 0;
    }

    /// \param close what closes the receiving half `qp` of `node` at `when`, ns; the NIC names it when it has queue
    /// pairs
    static void SetCloseReceiver(void (*close)(uint32_t node, uint32_t qp, int64_t when))
    {
        s_closeReceiver = close;
    }

    /// \return number of this process, from 0
    uint32_t GetRank() const
    {
        return m_rank;
    }

    /// \return number of processes
    uint32_t GetSize() const
    {
        return m_size;
    }

    /// \return all ranks but this one, ascending
    std::vector<uint32_t> GetOthers() const;

    /**
     * A link joins a node of this rank to one of another. Called at the start of the simulation.
     * \param local end of this rank
     * \param remote other end
     * \param delay of the link, ns, above 0
     */
    virtual void AddLink(QbbNetDevice& local, QbbNetDevice& remote, int64_t delay) = 0;

    /// Carry a frame. \param to device of another rank \param frame with its arrival time; stays the caller's
    virtual void SendFrame(QbbNetDevice& to, const RccFrame& frame) = 0;

    /// \param rank another one \param notice for it, not sooner than the delay of any link between ranks from now
    virtual void SendNotice(uint32_t rank, const Notice& notice) = 0;

    /**
     * Add up what the ranks have; called by all of them in the same order, after the simulation.
     * \param values of this rank; afterwards the sums
     * \param n number of them
     */
    virtual void Sum(uint64_t* values, size_t n) = 0;

    /// \copydoc Sum
    virtual void Sum(double* values, size_t n) = 0;

    /// Find the least of what the ranks have; called as Sum is. \param value of this rank \return the least
    virtual uint64_t GetLeast(uint64_t value) = 0;

    /// Bring bytes to the first rank; called as Sum is. \param mine of this rank, below 16 MB \return in the first rank
    /// those of each; in the others nothing
    virtual std::vector<std::vector<uint8_t>> Collect(const std::vector<uint8_t>& mine) = 0;

    /// \return the ranks that have ended before their time; the functions above, but not the simulation, go on without
    /// them
    virtual std::vector<uint32_t> GetDead() const
    {
        return {};
    }

    /// \return frames that this rank has sent to others, less those that came: with RccFramePool::InUse, the sum over
    /// all ranks is that of the frames in the network
    virtual uint32_t GetFramesAway() const
    {
        return 0;
    }

    /// \param handler called with each FLOWS_ENDED and FRAMES_LEFT of another rank
    void SetFlowsEndedHandler(const std::function<void(const Notice&)>& handler)
    {
        m_flowsEnded = handler;
    }

  protected:
    /// \param rank of this process \param size number of processes
    RccGateway(uint32_t rank, uint32_t size) : m_rank(rank), m_size(size)
    {
    }

    /// Do what another rank told. \param notice that came, before its time
    void Deliver(const Notice& notice);

  private:
    static RccGateway* s_current;
    static Starter s_start;
    static void (*s_closeReceiver)(uint32_t node, uint32_t qp, int64_t when);

    uint32_t m_rank, m_size;
    std::function<void(const Notice&)> m_flowsEnded;
};

/// Numbers of a rank that become the sums over all ranks: RccGateway::Sum of variables wherever they are.
class RccRankSums
{
  public:
    /// \param value to be added up, which stays where it is \param mine false: this rank counts as 0
    template <class T> void Add(T& value, bool mine = true)
    {
        value = mine ? value : 0;
        Take(value);
    }

    /// Give all variables their sums; called by all ranks, which have added as many. \param ranks of the simulation
    void Run(RccGateway& ranks);

  private:
    void Take(uint64_t& value)
    {
        m_whole.push_back(&value);
    }

    void Take(int64_t& value)
    {
        m_whole.push_back(reinterpret_cast<uint64_t*>(&value));
    }

    void Take(double& value)
    {
        m_parts.push_back(&value);
    }

    std::vector<uint64_t*> m_whole;
    std::vector<double*> m_parts;
};

} // namespace ns3

#endif /* RCC_GATEWAY_H */
