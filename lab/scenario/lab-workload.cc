/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-workload.h"

#include "ns3/lab-text.h"

#include "ns3/abort.h"
#include "ns3/rcc-frame.h"
#include "ns3/rcc-random.h"
#include "ns3/rcc-units.h"

#include <algorithm>
#include <memory>

namespace ns3
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

const uint64_t PERCENT = LabSizes::ONE / 100;

/// Web search: M. Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010.
const std::vector<LabSizes::Point> WEB_SEARCH{{0, 0},
                                              {10000, 15 * PERCENT},
                                              {20000, 20 * PERCENT},
                                              {30000, 30 * PERCENT},
                                              {50000, 40 * PERCENT},
                                              {80000, 53 * PERCENT},
                                              {200000, 60 * PERCENT},
                                              {1000000, 70 * PERCENT},
                                              {2000000, 80 * PERCENT},
                                              {5000000, 90 * PERCENT},
                                              {10000000, 97 * PERCENT},
                                              {30000000, LabSizes::ONE}};

/// Data mining: A. Greenberg et al., "VL2: A Scalable and Flexible Data Center Network", SIGCOMM 2009.
const uint64_t PACKET = 1460;
const std::vector<LabSizes::Point> DATA_MINING{{1 * PACKET, 50 * PERCENT},     {2 * PACKET, 60 * PERCENT},
                                               {3 * PACKET, 70 * PERCENT},     {7 * PACKET, 80 * PERCENT},
                                               {267 * PACKET, 90 * PERCENT},   {2107 * PACKET, 95 * PERCENT},
                                               {66667 * PACKET, 99 * PERCENT}, {666667 * PACKET, LabSizes::ONE}};

/// Hadoop at Facebook: the points of the public simulator of HPCC (Y. Li et al., SIGCOMM 2019), FbHdp_distribution.txt.
const std::vector<LabSizes::Point> FB_HADOOP{{0, 0},
                                             {100, 1 * PERCENT},
                                             {200, 2 * PERCENT},
                                             {300, 5 * PERCENT},
                                             {350, 15 * PERCENT},
                                             {400, 20 * PERCENT},
                                             {500, 30 * PERCENT},
                                             {600, 40 * PERCENT},
                                             {700, 50 * PERCENT},
                                             {1000, 60 * PERCENT},
                                             {2000, 67 * PERCENT},
                                             {7000, 70 * PERCENT},
                                             {30000, 72 * PERCENT},
                                             {50000, 82 * PERCENT},
                                             {80000, 87 * PERCENT},
                                             {120000, 90 * PERCENT},
                                             {300000, 95 * PERCENT},
                                             {1000000, 97 * PERCENT + PERCENT / 2},
                                             {2000000, 99 * PERCENT},
                                             {10000000, LabSizes::ONE}};

/// The distributions by name.
struct BuiltIn
{
    const char* name;
    const std::vector<LabSizes::Point>* points;
};

const BuiltIn BUILT_IN[] = {{"web-search", &WEB_SEARCH}, {"data-mining", &DATA_MINING}, {"fb-hadoop", &FB_HADOOP}};

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

std::string
LabSizes::Load(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& one : BUILT_IN)
    {
        names.emplace_back(one.name);
        if (name == one.name)
        {
            m_points = *one.points;
            return "";
        }
    }
    std::unique_ptr<LabTextFile> file;
    const std::string error = LabErrorOf([&] {
        file.reset(new LabTextFile(name, RccJoin(names, ", ") + " or a file with two columns", RCC_SMALL_FILE));
    });
    return error.empty() ? LabErrorOf([&] { Read(*file, name); }) : error + RccSuggest(name, names);
}

void
LabSizes::Read(LabTextFile& file, const std::string& path)
{
    m_points.clear();
    auto fail = [&](const std::string& found, const std::string& expected) {
        throw LabFileError(file.At("found " + found + ", expected " + expected));
    };
    std::vector<std::string> words;
    for (std::string row; file.NextLine(&row);)
    {
        LabSplitWords(row.substr(0, row.find('#')), &words);
        if (words.empty())
        {
            continue;
        }
        if (words.size() != 2)
        {
            fail(LabShown(row), "two columns: bytes and cumulative probability");
        }
        Point p;
        if (!RccParseDecimal(words[0], 3, BYTES_MAX, &p.bytes))
        {
            fail(LabShown(words[0]), "bytes, a number from 0 to " + std::to_string(BYTES_MAX));
        }
        p.bytes = (p.bytes + 500) / 1000; // a distribution may have fractions of a byte
        if (!RccParseDecimal(words[1], 12, 100, &p.share))
        {
            fail(LabShown(words[1]), "a cumulative probability, a number from 0 to 1 or 0 to 100");
        }
        const Point last = m_points.empty() ? Point{0, 0} : m_points.back();
        if (p.bytes < last.bytes || p.share < last.share ||
            (!m_points.empty() && p.bytes == last.bytes && p.share == last.share))
        {
            fail(LabShown(row), "columns that increase from row to row");
        }
        m_points.push_back(p);
    }
    if (m_points.empty())
    {
        throw LabFileError(path + ": found no row, expected two columns: bytes and cumulative probability");
    }
    const Point last = m_points.back();
    if (last.share != ONE && last.share != 100 * ONE)
    {
        fail("a last row of cumulative probability " +
                 RccFormat(RCC_UNIT_RATIO, static_cast<int64_t>(last.share / 1000)),
             "1 or 100 (%)");
    }
    if (std::any_of(m_points.begin(), m_points.end(),
                    [&last](const Point& p) { return p.bytes == 0 && p.share == last.share; }))
    {
        fail("a largest size of 0 bytes", "at least 1");
    }
    const uint64_t divisor = last.share / ONE;
    for (Point& p : m_points)
    {
        p.share = (p.share + divisor / 2) / divisor;
    }
}

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

/// What a mass at a point is: a flow has a byte. Between 0 and the next point sizes below a half are too rare to count.
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
        const Wide square = static_cast<Wide>(x) * x; // of x / 2^63, in units of 2^-126
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
