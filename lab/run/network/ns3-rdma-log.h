/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_LOG_H
#define NS3_RDMA_LOG_H

#include "lab-file.h"
#include "ns3/rcc-gateway.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * A file of records in the order of their times. Records of one nanosecond are in an order that the network fixes: that
 * of their events (RccEventQueue::GetPlace), then by node. So several ranks write the bytes of one: each keeps its
 * records in a temporary file, and the first rank merges them when the simulation is over.
 */
class Ns3RdmaLog
{
  public:
    /**
     * Create the file; in one of several ranks, the temporary one too, and only the first rank creates the file.
     * \param path of the file
     * \return empty, or what cannot be written and why
     */
    std::string Open(const std::string& path);

    /// \return whether records may be written
    bool IsOpen() const
    {
        return m_file || m_part;
    }

    /// Write what stands before all records. \param data its bytes \param size their number
    void WriteHead(const void* data, size_t size);

    /**
     * Write a record of the running event.
     * \param node that it is of
     * \param data its bytes
     * \param size their number
     */
    void Write(uint32_t node, const void* data, size_t size);

    /**
     * Write a record with a place of its own.
     * \param at ns, not before that of the last record
     * \param place among the records of this time
     * \param node that it is of
     * \param data its bytes
     * \param size their number
     * \param tie among events of several nodes that have one place, before the node; not negative
     */
    void WriteAt(int64_t at, uint64_t place, uint32_t node, const void* data, size_t size, int64_t tie = 0)
    {
        Add(Key{at, place, tie, node, static_cast<uint32_t>(size)}, data);
    }

    /// Add a record of no node. \param at ns \param place among the records of this time \param text the record
    void WriteAt(int64_t at, uint64_t place, const std::string& text)
    {
        WriteAt(at, place, 0, text.data(), text.size());
    }

    /// Write what is left and close the file; of several ranks, called by all of them.
    void Close();

  private:
    /// The key by which a record is sorted, and its length; in a temporary file its bytes follow.
    struct Key
    {
        int64_t at;     //!< ns
        uint64_t place; //!< among those of the time
        int64_t tie;    //!< among those of the place
        uint32_t node;
        uint32_t size; //!< bytes

        bool operator<(const Key& other) const
        {
            return std::tie(at, place, tie, node) < std::tie(other.at, other.place, other.tie, other.node);
        }
    };

    /// A record that waits for others of its nanosecond.
    struct Record
    {
        Key key;
        size_t begin; //!< index in m_bytes, larger in what was written later

        bool operator<(const Record& other) const
        {
            return std::tie(key.place, key.tie, key.node, begin) <
                   std::tie(other.key.place, other.key.tie, other.key.node, other.begin);
        }
    };

    void Add(const Key& key, const void* data);
    static bool Sort(Record* first, Record* last);
    void Flush();
    bool ReadAhead(std::vector<uint8_t>& ahead, size_t bytes) const;
    void Merge(RccGateway& ranks);
    void WriteSorted(const std::vector<std::vector<uint8_t>>& parts);
    static size_t EndOf(const std::vector<uint8_t>& records, int64_t until);
    static Key KeyAt(const uint8_t* record);

    LabFile m_file; //!< null in a rank that is not the first
    LabFile m_part; //!< this rank's file; null without ranks
    std::vector<Record> m_records;
    std::vector<uint8_t> m_bytes; //!< bytes of m_records
};

} // namespace ns3

#endif /* NS3_RDMA_LOG_H */
