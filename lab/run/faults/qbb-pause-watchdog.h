/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_PAUSE_WATCHDOG_H
#define QBB_PAUSE_WATCHDOG_H

#include "qbb-buffer-dependencies.h"

#include "ns3/qbb-switch.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * Finds ports of switches that a pause holds up: cycles of ports paused on one another (PFC deadlocks), and ports that
 * are paused for longer than a time (pause storms). It looks when Check is called and costs nothing in between.
 *
 * A queue is stuck while its class is paused and the same frame stays at its head. A deadlock is a cycle of stuck
 * queues: each one's frames wait for space that frames from there hold in the next one, and nothing else holds that
 * space.
 */
class QbbPauseWatchdog
{
  public:
    /// A cycle of ports paused on one another.
    struct Deadlock
    {
        int64_t since; //!< ns; no frame of the cycle has moved from then on, to the precision of the checks
        int64_t found; //!< ns; deadlocks are looked for four times in the deadlock time at most
        int64_t ended; //!< ns; when a frame of the cycle was seen to have moved; -1: not yet
        uint8_t cls;   //!< traffic class
        std::vector<QbbOutput> cycle; //!< each one waits for the next
    };

    /// A port that was paused for longer than a time.
    struct Storm
    {
        int64_t since;    //!< ns
        int64_t found;    //!< ns
        int64_t ended;    //!< ns; -1: not yet
        uint8_t cls;      //!< traffic class
        QbbOutput output; //!< the port
        uint64_t dropped; //!< frames that the watchdog has dropped from its queue
    };

    /// \param sw switch to watch, with its ports connected; each once
    void Add(Ptr<QbbSwitch> sw)
    {
        m_switches.push_back(sw);
    }

    /// \param ns how long a queue must have been stuck to count as part of a deadlock, at least 0
    void SetDeadlockTime(int64_t ns)
    {
        m_deadlockTime = ns;
        m_search = 0;
    }

    /**
     * Look for storms.
     * \param ns how long a queue may be stuck; 0: for ever, no storms are looked for
     * \param drop whether to drop what waits there, at each check until the pause ends, as switches do
     */
    void SetStormTime(int64_t ns, bool drop)
    {
        m_stormTime = ns;
        m_drop = drop;
    }

    /// Look at all ports. \param now ns, later than at the last call
    void Check(int64_t now);

    /// \return what was found so far, in the order of time
    const std::vector<Deadlock>& GetDeadlocks() const
    {
        return m_deadlocks;
    }

    /// \return what was found so far, in the order of time
    const std::vector<Storm>& GetStorms() const
    {
        return m_storms;
    }

    /// \return whether a deadlock was found and goes on
    bool IsDeadlocked() const;

    /// \return frames that the searches for deadlocks have looked at so far: what they cost
    uint64_t GetFramesWalked() const
    {
        return m_framesWalked;
    }

    /**
     * \param sw a switch
     * \param port of it
     * \param cls traffic class, 0..7
     * \param now ns
     * \return ns for which the queue has been stuck; 0 if it is not, or the switch is not watched
     */
    int64_t GetStuckTime(Ptr<QbbSwitch> sw, uint32_t port, uint8_t cls, int64_t now) const;

  private:
    /// The state of a queue at the last check.
    struct Queue
    {
        const RccFrame* head{nullptr};
        uint64_t psn{0};
        int64_t stamp{0};
        uint32_t src{0};
        int64_t since{-1};      //!< stuck from then on; -1: it is not
        size_t storm{SIZE_MAX}; //!< index of its storm, while that goes on
    };

    struct Port
    {
        QbbNetDevice* device;
        QbbOutput output;
        uint32_t peer{UINT32_MAX};       //!< first port of the switch at the other end, in m_ports; UINT32_MAX: none
        uint32_t peerPort{0};            //!< the port of that switch
        uint32_t peerPorts{0};           //!< number of its ports
        std::unique_ptr<Queue[]> queues; //!< by class; null: the port has never been paused
    };

    /// \param port any \param cls traffic class \return its queue, or one that is not stuck
    static const Queue& QueueOf(const Port& port, uint8_t cls)
    {
        static const Queue idle;
        return port.queues ? port.queues[cls] : idle;
    }

    void AddPorts();
    void Connect();
    void Prefetch(size_t port) const;
    bool Update(Port& port, uint8_t cls, int64_t now) const;
    void CheckStorm(Port& port, uint8_t cls, int64_t now);
    void CheckDeadlocks(uint8_t cls, int64_t now);
    /// The inputs of its switch that a queue has frames from, as far as it was walked.
    struct InputsOf
    {
        std::vector<bool> seen;        //!< by input
        const RccFrame* last{nullptr}; //!< that was looked at
        int64_t stands{-1};            //!< Queue::since then, or the time of the check of a queue that is not stuck
    };

    bool HoldsFrom(size_t queue, uint8_t cls, uint32_t input, uint32_t ports, int64_t now);
    bool WaitsForStuck(size_t port, uint8_t cls, const std::vector<bool>& stuck, int64_t now);
    bool FindWaits(size_t port, uint8_t cls, const std::vector<bool>& stuck, int64_t now, std::vector<size_t>& waits);
    void EndDeadlocks(int64_t now);
    bool IsKnown(const std::vector<QbbOutput>& cycle, uint8_t cls) const;

    std::vector<Ptr<QbbSwitch>> m_switches;
    std::vector<Port> m_ports;                               //!< the ports of all switches, from the first check on
    std::map<const QbbSwitch*, size_t> m_first;              //!< index of a switch's first port
    std::array<std::vector<InputsOf>, QBB_CLASSES> m_inputs; //!< by class and port
    int64_t m_deadlockTime{0}, m_stormTime{0};
    int64_t m_search{0};        //!< when to look for deadlocks again, ns
    uint64_t m_framesWalked{0}; //!< by the searches for deadlocks
    bool m_drop{false};
    std::vector<Deadlock> m_deadlocks;
    std::vector<Storm> m_storms;
};

} // namespace ns3

#endif /* QBB_PAUSE_WATCHDOG_H */
