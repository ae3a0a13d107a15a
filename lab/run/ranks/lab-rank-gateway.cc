/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-rank-gateway.h"

#include "lab-frame-record.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/qbb-net-device.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <sys/prctl.h>
#include <thread>
#include <time.h>
#include <unistd.h>

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

const int SHARING_MAX = 32;                        // ranks of a machine with shared memory: 64 KB for each pair of them
const auto PAUSE = std::chrono::milliseconds(100); // between looks for dead ranks
const int TAG_UP = 2, TAG_DOWN = 3;                // tags from survivors to the first rank, and back

} // namespace

uint64_t
LabProcessorTime()
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

// ---------------------------------------------------------------- links

void
LabRankGateway::AddLink(QbbNetDevice& local, QbbNetDevice& remote, int64_t delay)
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

size_t
LabRankGateway::Accept(const uint8_t* record, int64_t now)
{
    const LabFrameRecord head = LabFrameRecord::Head(record);
    if (head.kind == LabFrameRecord::NOTICE)
    {
        Deliver(LabFrameRecord::GetNotice(record));
        return head.bytes;
    }
    Link& link = m_links[m_linkOfChannel.at(head.channel)];
    NS_ABORT_MSG_IF(head.sequence != link.received++, "frames of link " << head.channel << " came in another order");
    RccFrame* frame = LabFrameRecord::GetFrame(record);
    link.channel->Receive(head.end, frame, frame->due, now);
    return head.bytes;
}

// ---------------------------------------------------------------- windows

LabRankGateway::LabRankGateway()
    : RccGateway(RankIn(MPI_COMM_WORLD), SizeOf(MPI_COMM_WORLD)),
      m_communicator(MPI_COMM_WORLD),
      m_peers(GetSize()),
      m_others(GetOthers()),
      m_requests(2 * GetSize()),
      m_patience(PatienceOf()),
      m_timed(std::getenv("RCC_RANK_TIMES") != nullptr)
{
    const char* const folder = std::getenv("RCC_RANKS_FOLDER");
    m_folder = folder ? folder : "";
    prctl(PR_SET_TIMERSLACK, 1); // a sleep of 10 us would take 60

    for (auto& peer : m_peers)
    {
        peer.out.resize(sizeof(Header));
        peer.in.resize(FIRST);
    }
    ShareMemory();
}

/// Have two slots for each other rank of this machine. Without them messages go through MPI. For tests, ranks are as on
/// RCC_RANK_MACHINES machines.
void
LabRankGateway::ShareMemory()
{
    MPI_Comm here;
    MPI_Comm_split_type(m_communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    if (const char* const machines = std::getenv("RCC_RANK_MACHINES"))
    {
        MPI_Comm all = here;
        MPI_Comm_split(all, static_cast<int>(GetRank() % std::max(1ul, std::strtoul(machines, nullptr, 10))), 0, &here);
        MPI_Comm_free(&all);
    }
    const uint32_t size = SizeOf(here), self = RankIn(here);
    MPI_Comm_set_errhandler(here, MPI_ERRORS_RETURN);
    Slot* mine = nullptr;
    int failed = size > SHARING_MAX || MPI_Win_allocate_shared(static_cast<MPI_Aint>(2 * size * sizeof(Slot)), 1,
                                                               MPI_INFO_NULL, here, &mine, &m_shared) != MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, here);
    if (failed)
    {
        m_shared = MPI_WIN_NULL; // to give it back needs all of them
    }
    else
    {
        std::vector<uint32_t> ranks(size);
        const uint32_t rank = GetRank();
        for (uint32_t i = 0; i < 2 * size; i++)
        {
            new (&mine[i].window) std::atomic<uint64_t>(0);
        }
        MPI_Allgather(&rank, 1, MPI_UINT32_T, ranks.data(), 1, MPI_UINT32_T, here); // all have cleared theirs
        for (uint32_t i = 0; i < size; i++)
        {
            MPI_Aint bytes = 0;
            int unit = 0;
            Slot* theirs = nullptr;
            MPI_Win_shared_query(m_shared, static_cast<int>(i), &bytes, &unit, &theirs);
            m_peers[ranks[i]].sent = mine + 2 * i;
            m_peers[ranks[i]].got = theirs + 2 * self;
        }
    }
    MPI_Comm_free(&here);
}

void
LabRankGateway::Close()
{
    if (m_shared != MPI_WIN_NULL)
    {
        MPI_Win_free(&m_shared);
    }
}

void
LabRankGateway::SendFrame(QbbNetDevice& to, const RccFrame& frame)
{
    Link& link = m_links[m_linkOf.at(&to)];
    LabFrameRecord::PutFrame(m_peers[link.rank].out,
                             {LabFrameRecord::FRAME, link.channel->GetId(), link.end, link.sent++, 0, 0}, frame);
    m_earliest = std::min(m_earliest, static_cast<uint64_t>(frame.due));
}

void
LabRankGateway::SendNotice(uint32_t rank, const Notice& notice)
{
    LabFrameRecord::PutNotice(m_peers[rank].out, notice);
    m_earliest = std::min(m_earliest, static_cast<uint64_t>(notice.when));
}

uint32_t
LabRankGateway::GetFramesAway() const
{
    uint32_t away = 0;
    for (const auto& link : m_links)
    {
        away += link.sent - link.received;
    }
    return away;
}

uint64_t
LabRankGateway::Exchange(uint64_t next, int64_t now)
{
    const uint64_t before = m_timed ? LabProcessorTime() : 0;
    const uint64_t mine = std::min(next, m_earliest);
    uint64_t earliest = mine;
    m_requests.clear();
    m_window++;
    for (uint32_t rank : m_others)
    {
        Peer& peer = m_peers[rank];
        const Header header{mine, peer.out.size() - sizeof(Header)};
        std::memcpy(peer.out.data(), &header, sizeof header);
        Post(rank);
    }
    if (!Wait() || !ExchangeRest())
    {
        return INT64_MAX;
    }
    for (uint32_t rank : m_others)
    {
        Peer& peer = m_peers[rank];
        const Header header = peer.Head();
        earliest = std::min(earliest, header.earliest);
        const uint8_t* record = peer.message + sizeof header;
        for (const uint8_t* end = record + header.bytes; record < end;)
        {
            record += Accept(record, now);
        }
        peer.out.resize(sizeof(Header));
    }
    m_earliest = INT64_MAX;
    m_exchangeTime += m_timed ? LabProcessorTime() - before : 0;
    return earliest;
}

/// Begin to send a message, or what of it is the first one, and to receive the other side's.
void
LabRankGateway::Post(uint32_t rank)
{
    Peer& peer = m_peers[rank];
    const size_t first = peer.out.size() < FIRST ? peer.out.size() : FIRST;
    if (peer.sent)
    {
        Slot& slot = peer.sent[m_window % 2];
        std::memcpy(slot.message, peer.out.data(), first);
        slot.window.store(m_window, std::memory_order_release);
        peer.message = peer.got[m_window % 2].message;
        return;
    }
    peer.message = peer.in.data();
    m_requests.resize(m_requests.size() + 2);
    MPI_Request* const last = &m_requests.back();
    MPI_Irecv(peer.in.data(), FIRST, MPI_BYTE, static_cast<int>(rank), 0, m_communicator, last - 1);
    MPI_Isend(peer.out.data(), static_cast<int>(first), MPI_BYTE, static_cast<int>(rank), 0, m_communicator, last);
}

/// \return whether all messages have come, and left
bool
LabRankGateway::HasAll()
{
    for (uint32_t rank : m_others)
    {
        const Peer& peer = m_peers[rank];
        if (peer.got && peer.got[m_window % 2].window.load(std::memory_order_acquire) != m_window)
        {
            return false;
        }
    }
    int done = 1;
    if (!m_requests.empty())
    {
        MPI_Testall(static_cast<int>(m_requests.size()), m_requests.data(), &done, MPI_STATUSES_IGNORE);
    }
    return done != 0;
}

/// MPI_Waitall would poll for ever, and take the time of the rank that it waits for where there are more ranks than
/// processors. \return false: a rank has died, and what was asked for does not come
bool
LabRankGateway::Wait()
{
    if (HasAll())
    {
        return true;
    }
    const uint64_t before = m_timed ? LabProcessorTime() : 0;
    const auto begin = std::chrono::steady_clock::now();
    auto look = begin + PAUSE;
    while (!HasAll())
    {
        const auto now = std::chrono::steady_clock::now();
        if (now > begin + m_patience)
        {
            std::this_thread::sleep_for(std::chrono::microseconds(10));
        }
        if (now > look)
        {
            if (FindDead())
            {
                return false;
            }
            look = now + PAUSE;
        }
    }
    m_exchangeTime -= m_timed ? LabProcessorTime() - before : 0;
    return true;
}

/// Exchange the records that did not fit into the first messages. \return as Wait
bool
LabRankGateway::ExchangeRest()
{
    m_requests.clear();
    for (uint32_t rank : m_others)
    {
        Peer& peer = m_peers[rank];
        const Header header = peer.Head();
        const size_t all = sizeof header + header.bytes;
        if (all > FIRST)
        {
            peer.in.resize(std::max(peer.in.size(), all));
            if (peer.got)
            {
                std::memcpy(peer.in.data(), peer.message, FIRST);
            }
            peer.message = peer.in.data();
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
    return Wait();
}

// ---------------------------------------------------------------- ranks that die

/// Look what the shells say of their ranks. \return whether one has died
bool
LabRankGateway::FindDead()
{
    for (uint32_t rank = 0; rank < GetSize() && !m_folder.empty() && m_dead.empty(); rank++)
    {
        if (access((m_folder + "/died-" + std::to_string(rank)).c_str(), F_OK) == 0)
        {
            m_dead.push_back(rank);
        }
    }
    if (IsDead(0))
    {
        std::_Exit(1); // it would have written the results
    }
    if (!m_dead.empty() && GetRank() == 0)
    {
        Tell("keeping");
    }
    return !m_dead.empty();
}

bool
LabRankGateway::IsDead(uint32_t rank) const
{
    return std::find(m_dead.begin(), m_dead.end(), rank) != m_dead.end();
}

/// Make an empty file for the other ranks and the shells.
void
LabRankGateway::Tell(const char* notice) const
{
    if (std::FILE* file = std::fopen((m_folder + "/" + notice).c_str(), "w"))
    {
        std::fclose(file);
    }
}

void
LabRankGateway::Leave() const
{
    std::fflush(nullptr);
    const std::string kept = m_folder + "/kept";
    if (GetRank() == 0)
    {
        Tell("kept");
    }
    while (access(kept.c_str(), F_OK) != 0) // the launcher ends all ranks when one has ended
    {
        std::this_thread::sleep_for(PAUSE);
    }
    std::_Exit(1);
}

/// Add up what the living ranks have, in the order of their numbers.
template <class T, class Add>
void
LabRankGateway::Reduce(T* values, size_t n, Add add)
{
    const auto bytes = static_cast<int>(n * sizeof(T));
    if (GetRank() > 0)
    {
        MPI_Send(values, bytes, MPI_BYTE, 0, TAG_UP, m_communicator);
        MPI_Recv(values, bytes, MPI_BYTE, 0, TAG_DOWN, m_communicator, MPI_STATUS_IGNORE);
        return;
    }
    std::vector<T> others(n);
    for (uint32_t rank = 1; rank < GetSize(); rank++)
    {
        if (!IsDead(rank))
        {
            MPI_Recv(others.data(), bytes, MPI_BYTE, static_cast<int>(rank), TAG_UP, m_communicator, MPI_STATUS_IGNORE);
            std::transform(values, values + n, others.begin(), values, add);
        }
    }
    for (uint32_t rank = 1; rank < GetSize(); rank++)
    {
        if (!IsDead(rank))
        {
            MPI_Send(values, bytes, MPI_BYTE, static_cast<int>(rank), TAG_DOWN, m_communicator);
        }
    }
}

void
LabRankGateway::Sum(uint64_t* values, size_t n)
{
    if (m_dead.empty())
    {
        MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(n), MPI_UINT64_T, MPI_SUM, m_communicator);
        return;
    }
    Reduce(values, n, std::plus<uint64_t>());
}

void
LabRankGateway::Sum(double* values, size_t n)
{
    if (m_dead.empty())
    {
        MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, m_communicator);
        return;
    }
    Reduce(values, n, std::plus<double>());
}

uint64_t
LabRankGateway::GetLeast(uint64_t value)
{
    if (m_dead.empty())
    {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, m_communicator);
        return value;
    }
    Reduce(&value, 1, [](uint64_t a, uint64_t b) { return std::min(a, b); });
    return value;
}

/// Collect, of all ranks.
std::vector<std::vector<uint8_t>>
LabRankGateway::Gather(const std::vector<uint8_t>& mine)
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

std::vector<std::vector<uint8_t>>
LabRankGateway::Collect(const std::vector<uint8_t>& mine)
{
    if (m_dead.empty())
    {
        return Gather(mine);
    }
    if (GetRank() > 0)
    {
        MPI_Send(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, 0, TAG_UP, m_communicator);
        return {};
    }
    std::vector<std::vector<uint8_t>> parts(GetSize());
    parts[0] = mine;
    for (uint32_t rank = 1; rank < GetSize(); rank++)
    {
        if (!IsDead(rank))
        {
            MPI_Status status;
            int bytes = 0;
            MPI_Probe(static_cast<int>(rank), TAG_UP, m_communicator, &status);
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            parts[rank].resize(static_cast<size_t>(bytes));
            MPI_Recv(parts[rank].data(), bytes, MPI_BYTE, static_cast<int>(rank), TAG_UP, m_communicator,
                     MPI_STATUS_IGNORE);
        }
    }
    return parts;
}

} // namespace ns3
