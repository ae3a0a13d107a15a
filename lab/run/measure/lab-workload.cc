/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-workload.h"

#include "ns3/abort.h"
#include "ns3/rcc-random.h"

#include <algorithm>

namespace ns3
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

const uint64_t ONE = RUN_SHARE_ONE;

/// \return the random number of a stream that has this index, 64 bits
uint64_t
Draw64(uint64_t stream, uint64_t index)
{
    return (static_cast<uint64_t>(RccDraw(stream, 2 * index)) << 32) | RccDraw(stream, 2 * index + 1);
}

/// \return what a mass at a point is: a flow has a byte. Between 0 and the next point sizes below a half are too rare
/// to count
uint64_t
DrawnAt(const RunSize& point)
{
    return std::max<uint64_t>(point.bytes, 1);
}

} // namespace

uint64_t
LabQuantile(const std::vector<RunSize>& sizes, uint64_t x)
{
    // share x 2^64 is the unit in which both sides are whole
    const auto share = static_cast<uint64_t>((static_cast<Wide>(x) * ONE) >> 64);
    auto above =
        std::upper_bound(sizes.begin(), sizes.end(), share, [](uint64_t s, const RunSize& p) { return s < p.share; });
    if (above == sizes.begin())
    {
        return DrawnAt(*above);
    }
    const RunSize& b = *above;
    const RunSize& a = *(above - 1);
    const Wide into = static_cast<Wide>(x) * ONE + ONE / 2 - (static_cast<Wide>(a.share) << 64);
    const uint64_t width = b.share - a.share;
    // floor(into / width) is below 2^64, and the product below 2^104
    const Wide part = into / width * (b.bytes - a.bytes);
    return std::max<uint64_t>(a.bytes + static_cast<uint64_t>((part + (static_cast<Wide>(1) << 63)) >> 64), 1);
}

double
LabMeanBytes(const std::vector<RunSize>& sizes)
{
    double sum = static_cast<double>(DrawnAt(sizes[0])) * static_cast<double>(sizes[0].share);
    for (size_t i = 1; i < sizes.size(); i++)
    {
        const RunSize& a = sizes[i - 1];
        const RunSize& b = sizes[i];
        const uint64_t twice = b.bytes > a.bytes ? a.bytes + b.bytes : 2 * DrawnAt(b);
        sum += static_cast<double>(b.share - a.share) * static_cast<double>(twice) / 2;
    }
    return sum / static_cast<double>(ONE);
}

uint64_t
LabMinusLog(uint64_t x)
{
    // log2 by repeated squaring: a mantissa of 2 or more after squaring is a binary digit 1
    NS_ABORT_MSG_IF(x == 0, "the logarithm of 0");
    unsigned exponent = 63;
    while (!(x >> 63))
    {
        x <<= 1;
        exponent--;
    }
    uint64_t log2 = exponent;
    for (int i = 0; i < 52; i++)
    {
        const Wide square = static_cast<Wide>(x) * x; // (x / 2^63)^2 in units of 2^-126
        const bool digit = (square >> 127) != 0;
        x = static_cast<uint64_t>(square >> (digit ? 64 : 63));
        log2 = 2 * log2 + (digit ? 1 : 0);
    }
    const uint64_t minus = (static_cast<uint64_t>(64) << 52) - log2; // log2 ends in 52 fractional digits
    const uint64_t ln2 = 0xb17217f7d1cf79abu;                        // ln 2 x 2^64
    return static_cast<uint64_t>((static_cast<Wide>(minus) * ln2) >> 64);
}

int64_t
LabPoissonTimes::Next()
{
    m_time += static_cast<uint64_t>((static_cast<Wide>(m_gap) * LabMinusLog(Draw64(m_stream, m_index) | 1)) >> 52);
    m_index++;
    return static_cast<int64_t>(m_time >> 16);
}

LabPoissonFlows::LabPoissonFlows(uint64_t seed, const std::vector<RunSize>& sizes, uint32_t hosts, uint64_t gap)
    : m_sizes(sizes),
      m_hosts(hosts),
      m_times(RccStreamOf(seed, RccStream::WORKLOAD, 0), gap),
      m_picks(RccStreamOf(seed, RccStream::WORKLOAD, 1)),
      m_pairs(RccStreamOf(seed, RccStream::WORKLOAD, 2))
{
}

LabPoissonFlows::Flow
LabPoissonFlows::Next()
{
    Flow f;
    f.start = m_times.Next();
    f.bytes = LabQuantile(m_sizes, Draw64(m_picks, m_index));
    const uint64_t pair = RccUniform(m_pairs, m_index, static_cast<uint64_t>(m_hosts) * (m_hosts - 1));
    f.src = static_cast<uint32_t>(pair / (m_hosts - 1));
    f.dst = static_cast<uint32_t>(pair % (m_hosts - 1));
    f.dst += f.dst >= f.src ? 1 : 0;
    m_index++;
    return f;
}

} // namespace ns3
