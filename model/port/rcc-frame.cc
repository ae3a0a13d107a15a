/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-frame.h"

#include "ns3/simulation-singleton.h"

#include <new>

namespace ns3
{

namespace
{
const size_t SLAB = 1024; // frames

struct PoolHolder
{
    Ptr<RccFramePool> pool = Ptr<RccFramePool>(new RccFramePool, false);
};

const char* const KINDS[] = {"DATA", "ACK", "NAK", "CNP", "CNM", "PFC", "IP", "CORRUPT", "TRIMMED"};
const char* const ECN[] = {"NotECT", "ECT1", "ECT0", "CE"};
} // namespace

std::ostream&
operator<<(std::ostream& out, const RccFrame& f)
{
    out << KINDS[static_cast<size_t>(f.kind)];
    if (f.kind == RccFrameKind::PFC)
    {
        out << " bytes=" << f.bytes << " quanta=";
        const char* between = "";
        for (uint8_t c = 0; c < QBB_CLASSES; c++)
        {
            if (f.pfcMask & (1u << c))
            {
                out << between << unsigned(c) << ':' << f.pfcQuanta[c];
                between = ",";
            }
        }
        return out;
    }
    out << " src=" << f.src << " dst=";
    if (f.dst == RCC_ALL_HOSTS)
    {
        out << "all";
    }
    else
    {
        out << f.dst;
    }
    // An answer knows only whom it is for.
    if (f.kind == RccFrameKind::DATA || f.kind == RccFrameKind::TRIMMED)
    {
        out << " qp=" << f.srcQp << '>' << f.dstQp << " psn=" << f.psn;
    }
    else if (f.kind != RccFrameKind::IP)
    {
        out << " qp=>" << f.dstQp;
        if (f.kind == RccFrameKind::ACK || f.kind == RccFrameKind::NAK)
        {
            out << " psn=" << f.psn;
        }
    }
    out << " bytes=" << f.bytes << " class=" << unsigned(f.cls) << " ecn=" << ECN[static_cast<size_t>(f.ecn) & 3u];
    switch (f.kind)
    {
    case RccFrameKind::DATA:
        return out << " ack=" << f.ackRequest;
    case RccFrameKind::ACK:
        return out << " ce=" << f.ceEcho;
    case RccFrameKind::CNP:
        return out << " period=" << f.period;
    case RccFrameKind::CNM:
        return out << " qfb=" << unsigned(f.qfb) << " qoff=" << f.qoff << " qdelta=" << f.qdelta;
    default:
        return out;
    }
}

Ptr<RccFramePool>
RccFramePool::Current()
{
    return SimulationSingleton<PoolHolder>::Get()->pool;
}

RccPath*
RccFramePool::NewPath()
{
    RccPath* path = m_freePaths;
    if (path)
    {
        m_freePaths = path->next;
    }
    else
    {
        m_paths.emplace_back(new RccPath);
        path = m_paths.back().get();
    }
    *path = RccPath();
    return path;
}

/// Give what is beside a frame back, if there is any.
__attribute__((noinline)) void
RccFramePool::PutPath(RccFrame* f)
{
    if (f->path)
    {
        f->path->next = m_freePaths;
        m_freePaths = f->path;
        f->path = nullptr;
    }
}

void
RccFramePool::Grow()
{
    const size_t line = alignof(RccFrame);
    // new does not align beyond max_align_t before C++17
    m_slabs.emplace_back(new char[(SLAB + 1) * sizeof(RccFrame)]);
    char* const start = m_slabs.back().get();
    const auto address = reinterpret_cast<uintptr_t>(start);
    auto slab = reinterpret_cast<RccFrame*>((address + line - 1) / line * line);
    for (size_t i = 0; i < SLAB; i++)
    {
        new (&slab[i]) RccFrame;
        slab[i].next = i + 1 < SLAB ? &slab[i + 1] : nullptr;
    }
    m_free = slab;
}

} // namespace ns3
