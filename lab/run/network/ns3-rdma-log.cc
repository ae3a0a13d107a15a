/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-log.h"

#include "ns3/rcc-event-queue.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ns3
{

namespace
{
const size_t FILE_BUFFER = 1 << 20;
const size_t BATCH = 1 << 16; // bytes of records that are sorted and written at once
const size_t ROUND = 4 << 20; // bytes of each rank that are merged at once
} // namespace

std::string
Ns3RdmaLog::Open(const std::string& path)
{
    if (RccGateway::IsFirst())
    {
        std::string why;
        m_file = LabCreateFile(path, &why);
        if (!m_file)
        {
            return why;
        }
        std::setvbuf(m_file.get(), nullptr, _IOFBF, FILE_BUFFER);
    }
    if (const RccGateway* ranks = RccGateway::Current())
    {
        const std::string name = "the part of " + path + " of rank " + std::to_string(ranks->GetRank());
        m_part = LabFile(std::tmpfile(), LabFileCloser{name});
        if (!m_part)
        {
            return "cannot write " + name + ": " + std::strerror(errno);
        }
    }
    return "";
}

void
Ns3RdmaLog::WriteHead(const void* data, size_t size)
{
    if (m_file)
    {
        std::fwrite(data, 1, size, m_file.get());
    }
}

void
Ns3RdmaLog::Write(uint32_t node, const void* data, size_t size)
{
    WriteAt(RccNow(), RccEventQueue::GetPlace(), node, data, size);
}

void
Ns3RdmaLog::Add(const Key& key, const void* data)
{
    if (m_bytes.size() >= BATCH && m_records.back().key.at != key.at)
    {
        Flush();
    }
    m_records.push_back(Record{key, m_bytes.size()});
    const auto* bytes = static_cast<const uint8_t*>(data);
    m_bytes.insert(m_bytes.end(), bytes, bytes + key.size);
}

/// Bring the records of one nanosecond into their order: those of a node stay in theirs. \return whether one moved
bool
Ns3RdmaLog::Sort(Record* first, Record* last)
{
    auto byNode = [](const Record& a, const Record& b) {
        return std::tie(a.key.place, a.key.node, a.begin) < std::tie(b.key.place, b.key.node, b.begin);
    };
    std::sort(first, last, byNode);
    for (Record* r = first + 1; r < last; r++)
    {
        const Key& before = r[-1].key;
        r->key.tie =
            r->key.node == before.node && r->key.place == before.place ? std::max(r->key.tie, before.tie) : r->key.tie;
    }
    std::sort(first, last);
    return !std::is_sorted(first, last, [](const Record& a, const Record& b) { return a.begin < b.begin; });
}

/// Write the records that wait.
void
Ns3RdmaLog::Flush()
{
    bool moved = false;
    for (size_t i = 0, end; i < m_records.size(); i = end)
    {
        for (end = i + 1; end < m_records.size() && m_records[end].key.at == m_records[i].key.at; end++)
        {
        }
        moved |= end > i + 1 && Sort(&m_records[i], &m_records[i] + (end - i));
    }
    std::FILE* const file = m_part ? m_part.get() : m_file.get();
    if (!m_part && !moved)
    {
        std::fwrite(m_bytes.data(), 1, m_bytes.size(), file);
        m_records.clear(); // later records are written one by one
    }
    for (const Record& r : m_records)
    {
        if (m_part)
        {
            std::fwrite(&r.key, sizeof r.key, 1, file);
        }
        std::fwrite(m_bytes.data() + r.begin, 1, r.key.size, file);
    }
    m_records.clear();
    m_bytes.clear();
}

void
Ns3RdmaLog::Close()
{
    if (!IsOpen())
    {
        return;
    }
    Flush();
    if (m_part)
    {
        Merge(*RccGateway::Current());
    }
    m_part.reset();
    m_file.reset();
}

// ---------------------------------------------------------------- several ranks

Ns3RdmaLog::Key
Ns3RdmaLog::KeyAt(const uint8_t* record)
{
    Key key;
    std::memcpy(&key, record, sizeof key);
    return key;
}

/// Append bytes of this rank's records. \param ahead that wait \param bytes to read \return whether there may be more
bool
Ns3RdmaLog::ReadAhead(std::vector<uint8_t>& ahead, size_t bytes) const
{
    const size_t before = ahead.size();
    ahead.resize(before + bytes);
    const size_t n = std::fread(&ahead[before], 1, bytes, m_part.get());
    ahead.resize(before + n);
    return n == bytes;
}

/// \param records of this rank, the last one maybe not whole \param until ns \return end of those up to then
size_t
Ns3RdmaLog::EndOf(const std::vector<uint8_t>& records, int64_t until)
{
    size_t end = 0;
    while (end + sizeof(Key) <= records.size())
    {
        const Key key = KeyAt(&records[end]);
        if (key.at > until || end + sizeof key + key.size > records.size())
        {
            break;
        }
        end += sizeof key + key.size;
    }
    return end;
}

/**
 * Merge the ranks' temporary files, some megabytes of each at once: all records up to a time at which no rank has more
 * than it has read.
 */
void
Ns3RdmaLog::Merge(RccGateway& ranks)
{
    std::rewind(m_part.get());
    std::vector<uint8_t> ahead;
    bool more = true;
    for (uint64_t until = 0; until != INT64_MAX;)
    {
        int64_t mine = -1; // records of this rank are complete up to then, ns
        do
        {
            more = more && ReadAhead(ahead, ROUND);
            int64_t last = -1;
            for (size_t at = 0, end = EndOf(ahead, INT64_MAX); at < end;)
            {
                const Key key = KeyAt(&ahead[at]);
                mine = key.at != last && last >= 0 ? last : mine;
                last = key.at;
                at += sizeof key + key.size;
            }
        } while (more && mine < 0);
        until = ranks.GetLeast(static_cast<uint64_t>(more ? mine : INT64_MAX));
        const size_t end = EndOf(ahead, static_cast<int64_t>(until));
        const auto begin = ahead.begin();
        const auto sent = begin + static_cast<std::ptrdiff_t>(end);
        WriteSorted(ranks.Collect(std::vector<uint8_t>(begin, sent)));
        ahead.erase(begin, sent);
    }
}

/// \param parts of the ranks, in the first one
void
Ns3RdmaLog::WriteSorted(const std::vector<std::vector<uint8_t>>& parts)
{
    struct Place
    {
        Key key;
        const uint8_t* bytes;

        bool operator<(const Place& other) const
        {
            return key < other.key;
        }
    };

    std::vector<Place> places;
    for (const auto& part : parts)
    {
        for (size_t at = 0; at < part.size();)
        {
            const Key key = KeyAt(&part[at]);
            places.push_back(Place{key, &part[at] + sizeof key});
            at += sizeof key + key.size;
        }
    }
    std::stable_sort(places.begin(), places.end());
    for (const Place& p : places)
    {
        std::fwrite(p.bytes, 1, p.key.size, m_file.get());
    }
}

} // namespace ns3
