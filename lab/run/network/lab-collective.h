/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_COLLECTIVE_H
#define LAB_COLLECTIVE_H

#include "lab-network.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * A collective operation of n ranks: steps in each of which every rank sends a message to another one.
 *
 *     all-reduce: a ring; in each of 2 (n - 1) steps rank i sends size / n to rank i + 1
 *     all-to-all: in step s of n - 1 rank i sends size / n to rank i + s
 *
 * Between two steps is a barrier, or a rank goes on as soon as it has the data: in a ring when its own message and that
 * of the rank before it are acknowledged. An all-to-all has its data from the start: all messages are one step then.
 */
class LabCollective : public LabRunExtra
{
  public:
    /**
     * Add the flows, and let the first step begin at 0.
     * \param file of the run, with an operation
     * \param run gets flows and results
     * \param network whose hosts are the ranks
     */
    LabCollective(const RunFile& file, LabRun& run, const LabNetwork& network);

    void Begin(const std::string& folder) override;
    void AddResults(LabJson& json) override;

  private:
    /// How far a rank of a ring without barriers is.
    struct Rank
    {
        LabCollective* collective;
        size_t index;
        uint64_t begun;     //!< messages
        uint64_t completed; //!< messages, acknowledged
        uint32_t left;      //!< queue pairs that have not sent their part of the message
    };

    /// A step that some ranks are in.
    struct Step
    {
        int64_t began; //!< at the first rank, ns
        size_t ranks;  //!< that have ended it
    };

    bool IsRingWithoutBarrier() const
    {
        return m_shape.ring && !m_shape.barrier;
    }

    /// \return steps of all rounds
    uint64_t CountMessages() const
    {
        return static_cast<uint64_t>(CountSteps()) * m_shape.rounds;
    }

    uint32_t CountSteps() const;
    void AddFlows(uint32_t distance);
    void StartStep();
    void StartRing();
    void EndBarrierStep();
    void EndStep(uint64_t number, int64_t began);
    void CountDown(Rank& rank);
    void Advance(Rank& rank);
    void BeginMessage(Rank* rank);
    void EndMessage(Rank& rank);
    static void HandleAcknowledged(Rank* rank, Ptr<RdmaClient> client);
    static void HandleCompleted(Rank* rank, Ptr<RdmaClient> client, int64_t ns);

    LabRun& m_run;
    std::vector<Ptr<RdmaNic>> m_ranks;
    RunCollective m_shape;
    uint64_t m_asked;                                    //!< size, before it was whole bytes of each message
    std::vector<std::vector<Ptr<RdmaClient>>> m_clients; //!< by the distance of the receiver, less one
    std::vector<Rank> m_progress;
    std::map<uint64_t, Step> m_open; //!< without barriers: steps that some ranks are in, by number
    uint64_t m_step{0};              //!< with barriers: that runs, over all rounds
    size_t m_left{0};                //!< with barriers: messages of the step that are not acknowledged
    int64_t m_stepBegan{0}, m_roundBegan{-1};
    std::vector<int64_t> m_steps, m_rounds; //!< how long they took, ns
    LabFile m_file;                         //!< steps.csv
};

} // namespace ns3

#endif /* LAB_COLLECTIVE_H */
