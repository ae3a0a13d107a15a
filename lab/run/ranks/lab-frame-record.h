/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FRAME_RECORD_H
#define LAB_FRAME_RECORD_H

#include "ns3/rcc-gateway.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class QbbChannel;

/**
 * Messages between ranks, as bytes. All ranks run the same program on one kind of machine: numbers are as in
 * memory.
 */
struct LabFrameRecord
{
    /// Which kind of record follows.
    enum Kind : uint32_t
    {
        FRAME, //!< an RccFrame, and the packet of an IP frame behind it
        NOTICE //!< an RccGateway::Notice
    };
    uint32_t kind;     //!< a Kind
    uint32_t channel;  //!< FRAME: id of the link
    uint32_t end;      //!< FRAME: 0 or 1, the end it left from
    uint32_t sequence; //!< FRAME: number on this link and end
    uint32_t packet;   //!< FRAME: bytes of the packet that follows
    uint32_t bytes;    //!< length of the whole record

    /// Append a frame. \param out bytes \param head channel, end and sequence \param frame to append
    static void PutFrame(std::vector<uint8_t>& out, const LabFrameRecord& head, const RccFrame& frame);

    /// Append a notice. \param out bytes \param notice to append
    static void PutNotice(std::vector<uint8_t>& out, const RccGateway::Notice& notice);

    /// \param in begin of a record \return its head
    static LabFrameRecord Head(const uint8_t* in);

    /// \param in begin of a record of a frame \return the frame, from the pool
    static RccFrame* GetFrame(const uint8_t* in);

    /// \param in begin of a record of a notice \return the notice
    static RccGateway::Notice GetNotice(const uint8_t* in);
};

} // namespace ns3

#endif /* LAB_FRAME_RECORD_H */
