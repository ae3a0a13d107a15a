/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-frame-record.h"

#include "ns3/packet.h"

#include <cstring>

namespace ns3
{

void
LabFrameRecord::PutFrame(std::vector<uint8_t>& out, const LabFrameRecord& head, const RccFrame& frame)
{
    const bool carries = frame.kind == RccFrameKind::IP && frame.packet;
    const bool beside = RccFramePool::HasPath(frame) && frame.path;
    LabFrameRecord h = head;
    h.kind = FRAME;
    h.packet = carries ? frame.packet->GetSerializedSize() : beside ? sizeof *frame.path : 0;
    h.bytes = static_cast<uint32_t>(sizeof h + sizeof frame) + h.packet;
    const size_t at = out.size();
    out.resize(at + h.bytes);
    std::memcpy(&out[at], &h, sizeof h);
    std::memcpy(&out[at + sizeof h], static_cast<const void*>(&frame), sizeof frame);
    if (carries)
    {
        frame.packet->Serialize(&out[at + sizeof h + sizeof frame], h.packet);
    }
    else if (beside)
    {
        std::memcpy(&out[at + sizeof h + sizeof frame], frame.path, h.packet);
    }
}

void
LabFrameRecord::PutNotice(std::vector<uint8_t>& out, const RccGateway::Notice& notice)
{
    const LabFrameRecord h{NOTICE, 0, 0, 0, 0, static_cast<uint32_t>(sizeof(LabFrameRecord) + sizeof notice)};
    const size_t at = out.size();
    out.resize(at + h.bytes);
    std::memcpy(&out[at], &h, sizeof h);
    std::memcpy(&out[at + sizeof h], &notice, sizeof notice);
}

LabFrameRecord
LabFrameRecord::Head(const uint8_t* in)
{
    LabFrameRecord h;
    std::memcpy(&h, in, sizeof h);
    return h;
}

RccFrame*
LabFrameRecord::GetFrame(const uint8_t* in)
{
    const LabFrameRecord h = Head(in);
    RccFrame* frame = RccFramePool::Current()->Get();
    std::memcpy(static_cast<void*>(frame), in + sizeof h, sizeof *frame);
    frame->next = nullptr;
    if (frame->kind == RccFrameKind::IP)
    {
        frame->packet = nullptr;
    }
    if (RccFramePool::HasPath(*frame))
    {
        frame->path = nullptr;
        if (h.packet)
        {
            frame->path = RccFramePool::Current()->NewPath();
            std::memcpy(frame->path, in + sizeof h + sizeof *frame, sizeof *frame->path);
            frame->path->next = nullptr;
        }
    }
    else if (h.packet)
    {
        frame->packet = GetPointer(Create<Packet>(in + sizeof h + sizeof *frame, h.packet, true));
    }
    return frame;
}

RccGateway::Notice
LabFrameRecord::GetNotice(const uint8_t* in)
{
    RccGateway::Notice notice;
    std::memcpy(&notice, in + sizeof(LabFrameRecord), sizeof notice);
    return notice;
}

} // namespace ns3
