/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_PORTS_H
#define RDMA_PORTS_H

#include "ns3/qbb-net-device.h"
#include "ns3/rcc-compiler.h"
#include "rcc_port.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * The ports of a NIC: which of them a flow uses, and the order in which queue pairs send. Owns the memory of the core's
 * rcc_port; queue pairs are named by their index in the NIC.
 */
class RdmaPorts
{
  public:
    /// \param device of the next port \return index of the port
    uint32_t Add(Ptr<QbbNetDevice> device);

    /// \return number of ports
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /// \param port below GetN() \return its device
    const Ptr<QbbNetDevice>& GetDevice(uint32_t port) const
    {
        return m_ports[port]->device;
    }

    /// \param port below GetN() \return the queue pairs that wait there
    const rcc_port& Get(uint32_t port) const
    {
        return m_ports[port]->core;
    }

    /// Forget all ports.
    void Clear()
    {
        m_ports.clear();
        m_down.clear();
    }

    // ---- routes

    /// Flows to and from a host use these ports only. \param host node id \param ports indices
    void SetRoute(uint32_t host, const std::vector<uint32_t>& ports);

    /// Forget what SetRoute said.
    void ClearRoutes()
    {
        m_routes.clear();
    }

    /// The link of a port went down or came up. \param port its index \param down whether it is down
    void SetDown(uint32_t port, bool down);

    /**
     * \param host node id at the other end
     * \param hash of the flow
     * \return a port that is up and that SetRoute allows; if there is none, any one
     */
    uint32_t Pick(uint32_t host, uint32_t hash) const;

    // ---- scheduling

    /// There is one queue pair more, numbered from 0 in the order of these calls. \return places on heaps, by queue
    /// pair
    uint32_t* AddQp()
    {
        m_at.push_back(RCC_PORT_NONE);
        return m_at.data();
    }

    /// Make space for one queue pair more. \param port its index \param cls traffic class \return the port
    rcc_port& Reserve(uint32_t port, uint8_t cls);

    /// A queue pair that had space leaves the port for good. \param port its index \param cls traffic class
    void Release(uint32_t port, uint8_t cls)
    {
        m_ports[port]->members[cls]--;
    }

    /// \param host node id \param hash of a flow to it \return the same for the next of its ports in turn
    uint32_t HashInTurn(uint32_t host, uint32_t hash);

    /// Begin the turns of HashInTurn anew.
    void ForgetTurns()
    {
        m_turns.clear();
    }

    // ---- what a queue pair that sends will touch

    /// \param port below GetN()
    void PrefetchPort(uint32_t port) const
    {
        const rcc_port& core = m_ports[port]->core;
        RccFetch(&core.classes[QBB_RDMA_CLASS]); // the class of most RDMA traffic
        RccFetch(&core.used);
    }

    /// \param port below GetN(), after PrefetchPort
    void PrefetchHeap(uint32_t port) const
    {
        const rcc_heap& heap = m_ports[port]->core.classes[QBB_RDMA_CLASS].heap;
        RccFetch(heap.keys);
        RccFetch(heap.ids);
        RccFetch(heap.least);
    }

    // ---- pauses

    /**
     * Log the pauses of a class from now on.
     * \param port its index
     * \param cls traffic class
     * \param now ns
     * \return the log, which stays where it is
     */
    const rcc_pause_log* LogPauses(uint32_t port, uint8_t cls, int64_t now);

    /// \param port its index \param paused one bit per class \param now ns
    void PauseChanged(uint32_t port, uint8_t paused, int64_t now);

  private:
    /// Memory of a class.
    struct Memory
    {
        std::vector<rcc_time> keys;
        std::vector<uint32_t> qps;
        std::vector<uint8_t> least;
        std::vector<rcc_time> pauses;
    };

    struct Port
    {
        rcc_port core;
        Ptr<QbbNetDevice> device;
        uint32_t members[RCC_CLASSES]{};             //!< queue pairs that have space on the heaps
        std::unique_ptr<Memory> memory[RCC_CLASSES]; //!< null: the class is not used
    };

    static Memory& MemoryOf(Port& port, uint8_t cls);
    void GrowHeap(Port& port, uint8_t cls);
    void LogPause(Port& port, uint8_t cls, bool paused, int64_t now);

    std::vector<std::unique_ptr<Port>> m_ports; //!< reaction points keep pointers to the pause logs
    std::vector<uint32_t> m_at;                 //!< by queue pair: its place on its heap, as rcc_heap has it
    std::unordered_map<uint32_t, std::vector<uint32_t>> m_routes; //!< by host; looked up, never walked
    std::unordered_map<uint32_t, uint32_t> m_turns;               //!< by host: queue pairs that had a turn
    std::vector<uint8_t> m_down;                                  //!< by port: whether its link is down
};

} // namespace ns3

#endif /* RDMA_PORTS_H */
