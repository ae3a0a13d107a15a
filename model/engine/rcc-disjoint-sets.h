/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_DISJOINT_SETS_H
#define RCC_DISJOINT_SETS_H

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ns3
{

/// Numbers 0 to n - 1, such as node ids, that are joined to sets pair by pair.
class RccDisjointSets
{
  public:
    /// \param n how many; each is a set of its own
    explicit RccDisjointSets(size_t n = 0) : m_root(n)
    {
        std::iota(m_root.begin(), m_root.end(), 0);
    }

    /// \return how many numbers there are
    size_t GetN() const
    {
        return m_root.size();
    }

    /// \param i below GetN \return the number that stands for its set
    uint32_t Find(uint32_t i)
    {
        while (m_root[i] != i)
        {
            i = m_root[i] = m_root[m_root[i]];
        }
        return i;
    }

    /// Make one set of two; that of `a` stands for it. \param a below GetN \param b below GetN
    void Join(uint32_t a, uint32_t b)
    {
        m_root[Find(b)] = Find(a);
    }

  private:
    std::vector<uint32_t> m_root; //!< towards the number that stands for the set
};

} // namespace ns3

#endif /* RCC_DISJOINT_SETS_H */
