/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-pcap.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_DIRECT
#define O_DIRECT 0 // not on every system
#endif

namespace ns3
{

namespace
{

const size_t BLOCK = 1 << 20;     //!< bytes written at a time
const size_t ALIGNMENT = 4096;    //!< of what is written past the cache
const size_t FRAME_MAX = 1 << 17; //!< bytes of a record at most
const size_t RECORD_BYTES = 16;   //!< before each frame
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

/**
 * One port and its file. Records are made in a buffer, whose full blocks are written past the system's page cache where
 * the file system allows: through the cache a capture of all ports costs more than twice as much (sys time of the copy
 * and of the pages). What is left at the end goes through the cache.
 */
class RccPcap::Capture
{
  public:
    Capture(Ptr<QbbNetDevice> device, const std::string& fileName, uint32_t snaplen, Direction direction)
        : m_device(device),
          m_fileName(fileName),
          m_snaplen(std::max(snaplen, 1u)),
          m_file(open(fileName.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
          m_error(m_file < 0 ? errno : posix_memalign(&m_memory, ALIGNMENT, BLOCK + FRAME_MAX))
    {
        if (m_error)
        {
            return;
        }
        for (uint32_t word : {MAGIC_NANOSECONDS, 2 | (4u << 16), 0u, 0u, m_snaplen, LINKTYPE_ETHERNET})
        {
            PutLittle(Buffer() + m_used, word);
            m_used += 4;
        }
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
        std::free(m_memory);
    }

    void Close()
    {
        if (m_file < 0)
        {
            return;
        }
        m_device->TraceDisconnectWithoutContext("Dequeue", MakeCallback(&Capture::AddSent, this));
        m_device->TraceDisconnectWithoutContext("Receive", MakeCallback(&Capture::AddReceived, this));
        SetDirect(false); // what is left is no whole block
        Write(m_used);
        if (close(m_file) != 0 && !m_error)
        {
            m_error = errno;
        }
        m_file = -1;
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
    uint8_t* Buffer()
    {
        return static_cast<uint8_t*>(m_memory);
    }

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
        uint8_t* record = Buffer() + m_used;
        const uint32_t size = m_device->WriteFrame(frame, received, record + RECORD_BYTES);
        const uint32_t kept = std::min(size, m_snaplen);
        PutLittle(record, static_cast<uint32_t>(now / 1000000000));
        PutLittle(record + 4, static_cast<uint32_t>(now % 1000000000));
        PutLittle(record + 8, kept);
        PutLittle(record + 12, size);
        m_used += RECORD_BYTES + kept;
        m_frames++;
        if (m_used >= BLOCK)
        {
            if (!m_large)
            {
                m_large = true;
                SetDirect(true);
            }
            Write(BLOCK);
        }
    }

    /// Let writes go past the page cache, or not; a file system that cannot refuses it, and nothing changes.
    void SetDirect(bool on)
    {
        struct stat info;
        const int flags = fcntl(m_file, F_GETFL);
        if (flags != -1 && fstat(m_file, &info) == 0 && S_ISREG(info.st_mode))
        {
            m_direct = fcntl(m_file, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0 && on;
        }
    }

    /// Write the first bytes of the buffer, and move the others to its front.
    void Write(size_t bytes)
    {
        for (size_t done = 0; done < bytes && !m_error;)
        {
            const ssize_t n = write(m_file, Buffer() + done, bytes - done);
            if (n >= 0)
            {
                done += static_cast<size_t>(n);
            }
            else if (errno == EINVAL && m_direct)
            {
                SetDirect(false); // larger sectors, or the rest of a block of which a part was written
            }
            else if (errno != EINTR)
            {
                m_error = errno;
            }
        }
        std::memmove(Buffer(), Buffer() + bytes, m_used - bytes);
        m_used -= bytes;
    }

    Ptr<QbbNetDevice> m_device;
    std::string m_fileName;
    uint32_t m_snaplen;
    void* m_memory{nullptr};
    int m_file;  //!< descriptor; -1: closed
    int m_error; //!< errno of the first failure
    size_t m_used{0};
    uint64_t m_frames{0};
    bool m_large{false};  //!< a block was written
    bool m_direct{false}; //!< past the page cache
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
