/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_COLLECTIVE_H
#define RCC_COLLECTIVE_H

#include "rcc-run.h"

#include <vector>

namespace ns3
{

/**
 * A collective operation of n ranks: steps in each of which every rank sends a message to another one, with a barrier
 * between them.
 *
 *     all-reduce: a ring; in each of 2 (n - 1) steps rank i sends size / n to rank i + 1
 *     all-to-all: in step s of n - 1 rank i sends size / n to rank i + s
 */
class RccCollective : public RccRunExtra
{
  public:
    /// What is done.
    struct Shape
    {
        bool ring;       //!< ring all-reduce; false: all-to-all
        uint64_t size;   //!< of each rank, bytes
        uint32_t qps;    //!< queue pairs that a message is spread over
        int64_t gap;     //!< from the end of a step to the next one, ns
        uint32_t rounds; //!< operations one after the other
    };

    /// Declare --operation, --size, --qps, --gap, --rounds. \param options of the program
    static void AddOptions(RccOptions& options);

    /// \param options of the run \return what they say
    static Shape GetShape(const RccOptions& options);

    /**
     * Add the flows, and let the first step begin at 0.
     * \param run gets flows and results
     * \param ranks NICs in the order of the ranks; at least two
     * \param shape what is done
     */
    RccCollective(RccRun& run, const std::vector<Ptr<RdmaNic>>& ranks, const Shape& shape);

    void Begin(const std::string& folder) override;
    void AddResults(RccJson& json) override;

  private:
    uint32_t CountSteps() const;
    void AddFlows(uint32_t distance);
    void StartStep();
    void EndStep();
    void CountDown();
    static void HandleAcknowledged(RccCollective* self, Ptr<RdmaClient> client);
    static void HandleCompleted(RccCollective* self, Ptr<RdmaClient> client, int64_t ns);

    RccRun& m_run;
    std::vector<Ptr<RdmaNic>> m_ranks;
    Shape m_shape;
    std::vector<std::vector<Ptr<RdmaClient>>> m_clients; //!< by the distance of the receiver, less one
    uint32_t m_step{0}, m_round{0};                      //!< that runs
    size_t m_left{0};                                    //!< messages of the step that are not acknowledged
    int64_t m_stepBegan{0}, m_roundBegan{0};
    std::vector<int64_t> m_steps, m_rounds; //!< how long they took, ns
    RccFile m_file;                         //!< steps.csv
};

} // namespace ns3

#endif /* RCC_COLLECTIVE_H */
