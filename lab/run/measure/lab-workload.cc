/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-workload.h"

#include "ns3/abort.h"
#include "ns3/rcc-frame.h"
#include "ns3/rcc-random.h"

#include <algorithm>

namespace ns3
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

/// Integral of ceil(t / m) from 0 to x.
Wide
CeilIntegral(uint64_t x, uint64_t m)
{
    Wide k = x / m;
    return m * k * (k + 1) / 2 + (x % m) * (k + 1);
}

/// \return the random number of a stream that has this index, 64 bits
uint64_t
Draw64(uint64_t stream, uint64_t index)
{
    return (static_cast<uint64_t>(RccDraw(stream, 2 * index)) << 32) | RccDraw(stream, 2 * index + 1);
}

} // namespace

uint64_t
LabSizes::Quantile(uint64_t x) const
{
    // share x 2^64 is the unit in which both sides are whole
    const auto share = static_cast<uint64_t>((static_cast<Wide>(x) * ONE) >> 64);
    auto above = std::upper_bound(m_points.begin(), m_points.end(), share,
                                  [](uint64_t s, const Point& p) { return s < p.share; });
    if (above == m_points.begin())
    {
        return std::max<uint64_t>(above->bytes, 1);
    }
    const Point& b = *above;
    const Point& a = *(above - 1);
    const Wide into = static_cast<Wide>(x) * ONE + ONE / 2 - (static_cast<Wide>(a.share) << 64);
    const uint64_t width = b.share - a.share;
    // floor(into / width) is below 2^64, and the product below 2^104
    const Wide part = into / width * (b.bytes - a.bytes);
    return std::max<uint64_t>(a.bytes + static_cast<uint64_t>((part + (static_cast<Wide>(1) << 63)) >> 64), 1);
}

namespace
{

/// A mass at a point: a flow has a byte at least. Between 0 and the next point sizes below a half are too rare to
/// count.
uint64_t
DrawnAt(const LabSizes::Point& point)
{
    return std::max<uint64_t>(point.bytes, 1);
}

} // namespace

double
LabSizes::GetMeanBytes() const
{
    double sum = static_cast<double>(DrawnAt(m_points[0])) * static_cast<double>(m_points[0].share);
    for (size_t i = 1; i < m_points.size(); i++)
    {
        const Point& a = m_points[i - 1];
        const Point& b = m_points[i];
        const uint64_t twice = b.bytes > a.bytes ? a.bytes + b.bytes : 2 * DrawnAt(b);
        sum += static_cast<double>(b.share - a.share) * static_cast<double>(twice) / 2;
    }
    return sum / static_cast<double>(ONE);
}

uint64_t
LabSizes::GetMeanGap(uint64_t bps, uint32_t mtu) const
{
    const Point& first = m_points[0];
    // Bytes on the wire x ONE: below 2 x 10^24.
    Wide sum = static_cast<Wide>(first.share) * (DrawnAt(first) + (DrawnAt(first) + mtu - 1) / mtu * ROCE_OVERHEAD);
    for (size_t i = 1; i < m_points.size(); i++)
    {
        const Point& a = m_points[i - 1];
        const Point& b = m_points[i];
        const Wide share = b.share - a.share;
        const uint64_t width = b.bytes - a.bytes;
        const Wide packets = width ? share * (CeilIntegral(b.bytes, mtu) - CeilIntegral(a.bytes, mtu)) / width
                                   : share * ((DrawnAt(b) + mtu - 1) / mtu);
        sum += share * (width ? a.bytes + b.bytes : 2 * DrawnAt(b)) / 2 + packets * ROCE_OVERHEAD;
    }
    const Wide gap = ((sum * 8000000000u / bps) << 16) / ONE;
    return static_cast<uint64_t>(std::min<Wide>(gap, LabPoissonTimes::GAP_MAX));
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

const uint64_t LabPoissonTimes::GAP_MAX;

int64_t
LabPoissonTimes::Next()
{
    m_time += static_cast<uint64_t>((static_cast<Wide>(m_gap) * LabMinusLog(Draw64(m_stream, m_index) | 1)) >> 52);
    m_index++;
    return static_cast<int64_t>(m_time >> 16);
}

uint64_t
LabPoissonFlows::GapOf(const LabSizes& sizes, uint32_t hosts, uint64_t rate, uint64_t load, uint32_t mtu)
{
    return sizes.GetMeanGap(static_cast<uint64_t>(static_cast<Wide>(rate) * hosts * load / 1000000000), mtu);
}

LabPoissonFlows::LabPoissonFlows(uint64_t seed, const LabSizes& sizes, uint32_t hosts, uint64_t gap)
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
    f.bytes = m_sizes.Quantile(Draw64(m_picks, m_index));
    const uint64_t pair = RccUniform(m_pairs, m_index, static_cast<uint64_t>(m_hosts) * (m_hosts - 1));
    f.src = static_cast<uint32_t>(pair / (m_hosts - 1));
    f.dst = static_cast<uint32_t>(pair % (m_hosts - 1));
    f.dst += f.dst >= f.src ? 1 : 0;
    m_index++;
    return f;
}

} // namespace ns3
