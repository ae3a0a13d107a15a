/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-pcap.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace ns3
{

namespace
{

const size_t BLOCK = 1 << 18;     //!< bytes written at a time
const size_t FRAME_MAX = 1 << 17; //!< bytes of a frame at most
const size_t RECORD_BYTES = 16;   //!< bytes of the record before each frame
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

/// One port and its file.
class RccPcap::Capture
{
  public:
    Capture(Ptr<QbbNetDevice> device, const std::string& fileName, uint32_t snaplen, Direction direction)
        : m_device(device),
          m_fileName(fileName),
          m_snaplen(std::max(snaplen, 1u)),
          m_file(std::fopen(fileName.c_str(), "wb")),
          m_error(m_file ? 0 : errno)
    {
        if (m_error)
        {
            return;
        }
        std::setvbuf(m_file, nullptr, _IOFBF, BLOCK);
        m_record.reset(new uint8_t[RECORD_BYTES + FRAME_MAX]);
        size_t used = 0;
        for (uint32_t word : {MAGIC_NANOSECONDS, 2 | (4u << 16), 0u, 0u, m_snaplen, LINKTYPE_ETHERNET})
        {
            PutLittle(&m_record[used], word);
            used += 4;
        }
        Write(used);
        if (direction & SENT)
        {
            m_device->TraceConnectWithoutContext("Dequeue", MakeCallback(&Capture::AddSent, this));
        }
        if (direction & RECEIVED)
        {
            m_device->TraceConnectWithoutContext("Receive", MakeCallback(&Capture::AddReceived, this));
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
        m_device->TraceDisconnectWithoutContext("Dequeue", MakeCallback(&Capture::AddSent, this));
        m_device->TraceDisconnectWithoutContext("Receive", MakeCallback(&Capture::AddReceived, this));
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
    std::string GetError() const
    {
        return m_error ? "cannot write " + m_fileName + ": " + std::strerror(m_error) : std::string();
    }

  private:
    void AddSent(const RccFrame& frame)
    {
        Add(frame, false);
    }

    void AddReceived(const RccFrame& frame)
    {
        Add(frame, true);
    }

    void Add(const RccFrame& frame, bool received)
    {
        const int64_t now = RccNow();
        uint8_t* record = m_record.get();
        const uint32_t size = m_device->WriteFrame(frame, received, record + RECORD_BYTES);
        const uint32_t kept = std::min(size, m_snaplen);
        PutLittle(record, static_cast<uint32_t>(now / 1000000000));
        PutLittle(record + 4, static_cast<uint32_t>(now % 1000000000));
        PutLittle(record + 8, kept);
        PutLittle(record + 12, size);
        Write(RECORD_BYTES + kept);
        m_frames++;
    }

    /// Write the first bytes of m_record, unless an earlier write has failed.
    void Write(size_t bytes)
    {
        if (!m_error && std::fwrite(m_record.get(), 1, bytes, m_file) != bytes)
        {
            m_error = errno;
        }
    }

    Ptr<QbbNetDevice> m_device;
    std::string m_fileName;
    uint32_t m_snaplen;
    std::FILE* m_file; //!< null: closed
    int m_error;       //!< errno of the first failure
    std::unique_ptr<uint8_t[]> m_record;
    uint64_t m_frames{0};
};

RccPcap::RccPcap() = default;

RccPcap::~RccPcap() = default;

std::string
RccPcap::EnablePcap(Ptr<QbbNetDevice> device, const std::string& fileName, uint32_t snaplen, Direction direction)
{
    std::unique_ptr<Capture> capture(new Capture(device, fileName, snaplen, direction));
    const std::string why = capture->GetError();
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
        why = why.empty() ? capture->GetError() : why;
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
