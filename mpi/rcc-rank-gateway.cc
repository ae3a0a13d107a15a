/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-rank-gateway.h"

#include "rcc-frame-record.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/qbb-net-device.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <sys/prctl.h>
#include <thread>
#include <time.h>

namespace ns3
{

namespace
{

uint32_t
RankIn(MPI_Comm communicator)
{
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    return static_cast<uint32_t>(rank);
}

uint32_t
SizeOf(MPI_Comm communicator)
{
    int size = 1;
    MPI_Comm_size(communicator, &size);
    return static_cast<uint32_t>(size);
}

/// \return how long a rank that waits polls before it lets others have its processor
std::chrono::microseconds
PatienceOf()
{
    const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE"); // ranks of this machine
    const bool enough = here && std::strtoul(here, nullptr, 10) <= std::thread::hardware_concurrency();
    return std::chrono::microseconds(enough ? 100 : 5);
}

} // namespace

uint64_t
RccProcessorTime()
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

// ---------------------------------------------------------------- links

RccMpiGateway::RccMpiGateway(MPI_Comm communicator)
    : RccGateway(RankIn(communicator), SizeOf(communicator)),
      m_communicator(communicator)
{
}

void
RccMpiGateway::AddLink(QbbNetDevice& local, QbbNetDevice& remote, int64_t delay)
{
    auto channel = DynamicCast<QbbChannel>(local.GetChannel());
    const uint32_t end = PeekPointer(channel->GetDevice(0)) == &local ? 0 : 1;
    const uint32_t rank = remote.GetNode()->GetSystemId();
    NS_ABORT_MSG_IF(rank >= GetSize(), "node " << remote.GetNode()->GetId() << " has system id " << rank << " of "
                                               << GetSize() << " ranks");
    m_linkOf[&remote] = m_links.size();
    m_linkOfChannel[channel->GetId()] = m_links.size();
    m_links.push_back(Link{PeekPointer(channel), end, rank, 0, 0});
    m_lookAhead = std::min(m_lookAhead, delay);
}

void
RccMpiGateway::Put(std::vector<uint8_t>& out, const QbbNetDevice& to, const RccFrame& frame)
{
    Link& link = LinkTo(to);
    RccFrameRecord::PutFrame(out, {RccFrameRecord::FRAME, link.channel->GetId(), link.end, link.sent++, 0, 0}, frame);
}

size_t
RccMpiGateway::Accept(const uint8_t* record, int64_t now)
{
    const RccFrameRecord head = RccFrameRecord::Head(record);
    if (head.kind == RccFrameRecord::NOTICE)
    {
        Deliver(RccFrameRecord::GetNotice(record));
        return head.bytes;
    }
    Link& link = m_links[m_linkOfChannel.at(head.channel)];
    NS_ABORT_MSG_IF(head.sequence != link.received++, "frames of link " << head.channel << " came in another order");
    RccFrame* frame = RccFrameRecord::GetFrame(record);
    link.channel->Receive(head.end, frame, frame->due, now);
    return head.bytes;
}

void
RccMpiGateway::Sum(uint64_t* values, size_t n)
{
    MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(n), MPI_UINT64_T, MPI_SUM, m_communicator);
}

void
RccMpiGateway::Sum(double* values, size_t n)
{
    MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, m_communicator);
}

uint64_t
RccMpiGateway::Least(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, m_communicator);
    return value;
}

std::vector<std::vector<uint8_t>>
RccMpiGateway::Collect(const std::vector<uint8_t>& mine)
{
    const auto size = static_cast<int>(mine.size());
    std::vector<int> sizes(GetSize());
    std::vector<int> begins(GetSize() + 1);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, m_communicator);
    std::partial_sum(sizes.begin(), sizes.end(), begins.begin() + 1);
    std::vector<uint8_t> all(static_cast<size_t>(begins.back()));
    MPI_Gatherv(mine.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE, 0, m_communicator);
    std::vector<std::vector<uint8_t>> parts;
    for (uint32_t rank = 0; rank < GetSize() && GetRank() == 0; rank++)
    {
        parts.emplace_back(all.begin() + begins[rank], all.begin() + begins[rank + 1]);
    }
    return parts;
}

// ---------------------------------------------------------------- windows

RccRankGateway::RccRankGateway()
    : RccMpiGateway(MPI_COMM_WORLD),
      m_peers(GetSize()),
      m_requests(2 * GetSize()),
      m_patience(PatienceOf()),
      m_timed(std::getenv("RCC_RANK_TIMES") != nullptr)
{
    prctl(PR_SET_TIMERSLACK, 1); // a sleep of 10 us would take 60

    for (auto& peer : m_peers)
    {
        peer.out.resize(sizeof(Header));
        peer.in.resize(FIRST);
    }
}

void
RccRankGateway::SendFrame(QbbNetDevice& to, const RccFrame& frame)
{
    Put(m_peers[to.GetNode()->GetSystemId()].out, to, frame);
    m_earliest = std::min(m_earliest, static_cast<uint64_t>(frame.due));
}

void
RccRankGateway::SendNotice(uint32_t rank, const Notice& notice)
{
    RccFrameRecord::PutNotice(m_peers[rank].out, notice);
    m_earliest = std::min(m_earliest, static_cast<uint64_t>(notice.when));
}

uint64_t
RccRankGateway::Exchange(uint64_t next, int64_t now)
{
    const uint64_t before = m_timed ? RccProcessorTime() : 0;
    const uint64_t mine = std::min(next, m_earliest);
    uint64_t earliest = mine;
    m_requests.clear();
    for (uint32_t rank = 0; rank < GetSize(); rank++)
    {
        if (rank == GetRank())
        {
            continue;
        }
        Peer& peer = m_peers[rank];
        const Header header{mine, peer.out.size() - sizeof(Header)};
        std::memcpy(peer.out.data(), &header, sizeof header);
        const size_t first = peer.out.size() < FIRST ? peer.out.size() : FIRST;
        m_requests.resize(m_requests.size() + 2);
        MPI_Request* const last = &m_requests.back();
        MPI_Irecv(peer.in.data(), FIRST, MPI_BYTE, static_cast<int>(rank), 0, m_communicator, last - 1);
        MPI_Isend(peer.out.data(), static_cast<int>(first), MPI_BYTE, static_cast<int>(rank), 0, m_communicator, last);
    }
    Wait();
    ExchangeRest();
    for (uint32_t rank = 0; rank < GetSize(); rank++)
    {
        if (rank == GetRank())
        {
            continue;
        }
        Peer& peer = m_peers[rank];
        Header header;
        std::memcpy(&header, peer.in.data(), sizeof header);
        earliest = std::min(earliest, header.earliest);
        const uint8_t* record = peer.in.data() + sizeof header;
        for (const uint8_t* end = record + header.bytes; record < end;)
        {
            record += Accept(record, now);
        }
        peer.out.resize(sizeof(Header));
    }
    m_earliest = INT64_MAX;
    m_windows++;
    m_exchangeTime += m_timed ? RccProcessorTime() - before : 0;
    return earliest;
}

/// MPI_Waitall would poll for ever, and take the time of the rank that it waits for where there are more ranks than
/// processors.
void
RccRankGateway::Wait()
{
    const auto until = std::chrono::steady_clock::now() + m_patience;
    for (;;)
    {
        const uint64_t before = m_timed ? RccProcessorTime() : 0;
        int done = 0;
        MPI_Testall(static_cast<int>(m_requests.size()), m_requests.data(), &done, MPI_STATUSES_IGNORE);
        if (done)
        {
            return;
        }
        if (std::chrono::steady_clock::now() > until)
        {
            std::this_thread::sleep_for(std::chrono::microseconds(10));
        }
        m_exchangeTime -= m_timed ? RccProcessorTime() - before : 0; // the polls that came too early
    }
}

/// What did not fit into the first messages.
void
RccRankGateway::ExchangeRest()
{
    m_requests.clear();
    for (uint32_t rank = 0; rank < GetSize(); rank++)
    {
        if (rank == GetRank())
        {
            continue;
        }
        Peer& peer = m_peers[rank];
        Header header;
        std::memcpy(&header, peer.in.data(), sizeof header);
        const size_t all = sizeof header + header.bytes;
        if (all > FIRST)
        {
            peer.in.resize(std::max(peer.in.size(), all));
            m_requests.emplace_back();
            MPI_Irecv(&peer.in[FIRST], static_cast<int>(all - FIRST), MPI_BYTE, static_cast<int>(rank), 1,
                      m_communicator, &m_requests.back());
        }
        if (peer.out.size() > FIRST)
        {
            m_requests.emplace_back();
            MPI_Isend(&peer.out[FIRST], static_cast<int>(peer.out.size() - FIRST), MPI_BYTE, static_cast<int>(rank), 1,
                      m_communicator, &m_requests.back());
        }
    }
    Wait();
}

} // namespace ns3
