/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef CIOQ_BUFFER_H
#define CIOQ_BUFFER_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// A frame in a CioqSwitch, from its arrival until no buffer holds it any more.
struct CioqRecord
{
    uint32_t bytes;
    uint32_t src, srcQp, dst, hash; //!< whom to notify
    uint32_t parent; //!< record that holds the bytes at the input: itself, or the one of the frame it is a copy of
    uint32_t copies; //!< for which the input still keeps the frame
    uint32_t at[2];  //!< position in the lists of its two buffers, by CioqBuffer::Side
    uint16_t input, output;
    uint16_t vlan; //!< of RccFrame::vlan
    bool tagged;   //!< the source is a QCN reaction point
};

/// All records of a switch; index 0 stands for none. Get and Put are a list operation.
class CioqRecords
{
  public:
    CioqRecord& operator[](uint32_t i)
    {
        return m_records[i];
    }

    const CioqRecord& operator[](uint32_t i) const
    {
        return m_records[i];
    }

    /// A zeroed record; references to others do not survive it.
    uint32_t Get();
    void Put(uint32_t i);

  private:
    std::vector<CioqRecord> m_records{CioqRecord()};
    std::vector<uint32_t> m_free;
};

/**
 * The occupancy of one input or output buffer, and whose frames are in it.
 *
 * Frames that can be notified are listed, if sampling asks for it, in no order:
 * adding, removing and picking a random one are O(1). No state is kept by flow.
 */
class CioqBuffer
{
  public:
    /// A frame can be in one buffer of each side at once.
    enum Side : uint8_t
    {
        INPUT,
        OUTPUT
    };

    /// Bytes of a buffer unit, "256B payload" (RZ 3880, section VI).
    static const uint32_t UNIT = 256;

    /**
     * \param records of the switch, not owned
     * \param side which of a record's positions belongs to this buffer
     * \param listed keep the list that Fullest and Random look at
     * \param maxFrame largest frame, bytes
     */
    void Init(CioqRecords* records, Side side, bool listed, uint32_t maxFrame);

    /// Occupancy, bytes.
    uint64_t Bytes() const
    {
        return m_bytes;
    }

    void Add(uint32_t record);
    void Remove(uint32_t record);

    /**
     * A frame of the flow that holds most bytes; of equal flows the one with the least (source, queue pair).
     * Looks at every frame in the buffer, once per congestion notification.
     * \return record, 0 if nothing is listed
     */
    uint32_t Fullest();

    /**
     * The frame that owns a uniformly random occupied unit: random frames are drawn until one is accepted with
     * probability units / most units, which gives every unit the same chance.
     * \param stream of random numbers
     * \param draws numbers used so far, advanced
     * \return record, 0 if nothing is listed
     */
    uint32_t Random(uint64_t stream, uint64_t& draws) const;

  private:
    CioqRecords* m_records{nullptr};
    std::vector<uint32_t> m_frames;                      //!< records
    std::vector<std::pair<uint64_t, uint32_t>> m_sorted; //!< scratch of Fullest: flow and record
    uint64_t m_bytes{0};
    uint32_t m_maxUnits{1};
    Side m_side{INPUT};
    bool m_listed{false};
};

} // namespace ns3

#endif /* CIOQ_BUFFER_H */
