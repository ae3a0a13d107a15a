/* SPDX-License-Identifier: GPL-2.0-only */
#include "rcc-pcap.h"

#include "ns3/node.h"
#include "ns3/rcc-wire.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace ns3
{

namespace
{

const size_t BUFFER_BYTES = 1 << 18;
const size_t RECORD_BYTES = 16; //!< before each frame
const uint32_t MAGIC_NANOSECONDS = 0xa1b23c4d;
const uint32_t LINKTYPE_ETHERNET = 1;

/// Little-endian on every machine, so that the same run gives the same file.
void
PutLittle(uint8_t* to, uint32_t value)
{
    to[0] = static_cast<uint8_t>(value);
    to[1] = static_cast<uint8_t>(value >> 8);
    to[2] = static_cast<uint8_t>(value >> 16);
    to[3] = static_cast<uint8_t>(value >> 24);
}

} // namespace

/// One port and its file. Frames are written straight into a buffer that goes out when it is full.
class RccPcap::Capture
{
  public:
    Capture(Ptr<QbbNetDevice> device, const std::string& fileName, uint32_t snaplen, Direction direction)
        : m_device(device),
          m_fileName(fileName),
          m_snaplen(std::max(snaplen, 1u)),
          m_direction(direction),
          m_file(std::fopen(fileName.c_str(), "wb")),
          m_error(m_file ? 0 : errno)
    {
        if (!m_file)
        {
            return;
        }
        std::setvbuf(m_file, nullptr, _IONBF, 0); // m_buffer is the buffer
        m_buffer.resize(BUFFER_BYTES);
        const uint32_t header[] = {MAGIC_NANOSECONDS, 2 | (4u << 16), 0, 0, m_snaplen, LINKTYPE_ETHERNET};
        for (uint32_t word : header)
        {
            PutLittle(&m_buffer[m_used], word);
            m_used += 4;
        }
        if (m_direction & SENT)
        {
            m_device->TraceConnectWithoutContext("Dequeue", MakeCallback(&Capture::Sent, this));
        }
        if (m_direction & RECEIVED)
        {
            m_device->TraceConnectWithoutContext("Receive", MakeCallback(&Capture::Received, this));
        }
    }

    ~Capture()
    {
        Close();
    }

    void Close()
    {
        if (!m_file)
        {
            return;
        }
        m_device->TraceDisconnectWithoutContext("Dequeue", MakeCallback(&Capture::Sent, this));
        m_device->TraceDisconnectWithoutContext("Receive", MakeCallback(&Capture::Received, this));
        Flush();
        if (std::fclose(m_file) != 0 && !m_error)
        {
            m_error = errno;
        }
        m_file = nullptr;
    }

    uint64_t GetFrames() const
    {
        return m_frames;
    }

    /// \return empty, or why the file is not whole
    std::string Why() const
    {
        return m_error ? "cannot write " + m_fileName + ": " + std::strerror(m_error) : std::string();
    }

  private:
    void Sent(const RccFrame& frame)
    {
        Add(frame, false, RccNow());
    }

    void Received(const RccFrame& frame)
    {
        Add(frame, true, RccNow());
    }

    void Add(const RccFrame& frame, bool received, int64_t now)
    {
        const size_t need = RECORD_BYTES + frame.bytes;
        if (m_used + need > m_buffer.size())
        {
            Flush();
            m_buffer.resize(std::max(m_buffer.size(), need));
        }
        uint8_t* record = &m_buffer[m_used];
        const uint32_t size = RccWire::Write(frame, SenderOf(frame, received), record + RECORD_BYTES);
        const uint32_t kept = std::min(size, m_snaplen);
        PutLittle(record, static_cast<uint32_t>(now / 1000000000));
        PutLittle(record + 4, static_cast<uint32_t>(now % 1000000000));
        PutLittle(record + 8, kept);
        PutLittle(record + 12, size);
        m_used += RECORD_BYTES + kept;
        m_frames++;
    }

    /// The node at the end of the link that a frame comes from; only PFC frames, which know no node, need it.
    uint32_t SenderOf(const RccFrame& frame, bool received) const
    {
        if (frame.kind != RccFrameKind::PFC)
        {
            return frame.src;
        }
        Ptr<QbbNetDevice> device = m_device;
        if (received)
        {
            device = DynamicCast<QbbChannel>(m_device->GetChannel())->GetPeer(PeekPointer(m_device));
        }
        return device->GetNode()->GetId();
    }

    void Flush()
    {
        if (!m_error && std::fwrite(m_buffer.data(), 1, m_used, m_file) != m_used)
        {
            m_error = errno;
        }
        m_used = 0;
    }

    Ptr<QbbNetDevice> m_device;
    std::string m_fileName;
    uint32_t m_snaplen;
    Direction m_direction;
    std::FILE* m_file;
    int m_error; //!< errno of the first failure
    std::vector<uint8_t> m_buffer;
    size_t m_used{0};
    uint64_t m_frames{0};
};

RccPcap::RccPcap() = default;

RccPcap::~RccPcap() = default;

std::string
RccPcap::EnablePcap(Ptr<QbbNetDevice> device, const std::string& fileName, uint32_t snaplen, Direction direction)
{
    std::unique_ptr<Capture> capture(new Capture(device, fileName, snaplen, direction));
    const std::string why = capture->Why();
    if (why.empty())
    {
        m_captures.push_back(std::move(capture));
    }
    return why;
}

std::string
RccPcap::Close()
{
    std::string why;
    for (auto& capture : m_captures)
    {
        capture->Close();
        why = why.empty() ? capture->Why() : why;
        m_closedFrames += capture->GetFrames();
    }
    m_captures.clear();
    return why;
}

uint64_t
RccPcap::GetFrames() const
{
    uint64_t frames = m_closedFrames;
    for (const auto& capture : m_captures)
    {
        frames += capture->GetFrames();
    }
    return frames;
}

} // namespace ns3
