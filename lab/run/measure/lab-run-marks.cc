/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-run-marks.h"

namespace ns3
{

namespace
{

const int64_t LONGEST = int64_t{1} << 40; // bytes, above every threshold

/// A draw that marks wherever one may.
uint32_t
DrawLeast(uint64_t stream, uint64_t n)
{
    (void)stream;
    (void)n;
    return 0;
}

/// A congestion point that is new for each queue it is asked about.
class Point
{
  public:
    /// \param draw null: it marks only where every frame is marked
    Point(const RccAlgorithm& algorithm, uint64_t lineRate, rcc_draw draw)
        : m_profile(rcc_profile_size(algorithm.GetCore(), RCC_CP) / 8 + 1),
          m_memory(rcc_cp_size(algorithm.GetCore()) / 8 + 1)
    {
        const rcc_algorithm* core = algorithm.GetCore();
        std::vector<int64_t> params;
        for (size_t i = 0; i < core->n_fields; i++)
        {
            params.push_back(algorithm.GetParameterAt(lineRate, core->fields[i].name));
        }
        const rcc_env env = {lineRate, draw, 0, 0, 0}; // as RccAlgorithm has it for points that mark
        rcc_configure(core, RCC_CP, params.data(), &env, m_profile.data(), nullptr);
    }

    /// \param queue bytes \return whether the first frame is marked
    bool Marks(int64_t queue)
    {
        rcc_cnm cnm = {};
        const auto bytes = static_cast<uint64_t>(queue);
        rcc_cp* cp = rcc_cp_start(m_memory.data(), reinterpret_cast<const rcc_profile*>(m_profile.data()), 0);
        return cp &&
               (rcc_cp_enqueued(cp, bytes, RCC_MTU, &cnm) == RCC_CP_MARK || rcc_cp_dequeued(cp, bytes) == RCC_CP_MARK);
    }

    /// \return the longest queue at which no frame is marked, bytes; negative if marks do not go by the queue
    int64_t FindLongestUnmarked()
    {
        int64_t unmarked = 0, marked = LONGEST;
        if (Marks(unmarked) || !Marks(marked))
        {
            return -1;
        }
        while (marked - unmarked > 1)
        {
            const int64_t middle = unmarked + (marked - unmarked) / 2;
            (Marks(middle) ? marked : unmarked) = middle;
        }
        return unmarked;
    }

  private:
    std::vector<uint64_t> m_profile, m_memory;
};

} // namespace

LabMarks
LabMarksAt(const RccAlgorithm& algorithm, uint64_t lineRate)
{
    return {Point(algorithm, lineRate, &DrawLeast).FindLongestUnmarked(),
            Point(algorithm, lineRate, nullptr).FindLongestUnmarked()};
}

} // namespace ns3
