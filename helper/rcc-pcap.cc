/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-pcap.h"

#include "ns3/node.h"
#include "ns3/rcc-wire.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace ns3
{

namespace
{

const size_t ALIGNMENT = 4096;
const size_t LARGE_BLOCK = 1 << 22; //!< bytes written at a time
const size_t SMALL_BLOCK = 1 << 18; //!< the same where there are many files
const size_t FEW_FILES = 32;
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

/**
 * One port and its file. Frames are written straight into a buffer, whose whole blocks go out when there are some.
 *
 * Blocks go to the disk directly where the system can: through its cache they cost several times what the simulation
 * does, for the memory that the cache takes. What is left at the end, or all of a small file, goes through the cache.
 */
class RccPcap::Capture
{
  public:
    Capture(Ptr<QbbNetDevice> device, const std::string& fileName, uint32_t snaplen, Direction direction, size_t block)
        : m_device(device),
          m_fileName(fileName),
          m_snaplen(std::max(snaplen, 1u)),
          m_direction(direction),
          m_block(block),
          m_file(std::fopen(fileName.c_str(), "wb")),
          m_error(m_file ? 0 : errno)
    {
        if (!m_file)
        {
            return;
        }
        std::setvbuf(m_file, nullptr, _IONBF, 0); // m_buffer is the buffer
        Reserve(64);
        const uint32_t header[] = {MAGIC_NANOSECONDS, 2 | (4u << 16), 0, 0, m_snaplen, LINKTYPE_ETHERNET};
        for (uint32_t word : header)
        {
            PutLittle(m_buffer + m_used, word);
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
        PassCache(false); // for the rest, which is no whole block
        Write(m_used);
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
        Reserve(RECORD_BYTES + frame.bytes);
        uint8_t* record = m_buffer + m_used;
        const uint32_t size = RccWire::Write(frame, SenderOf(frame, received), record + RECORD_BYTES);
        const uint32_t kept = std::min(size, m_snaplen);
        PutLittle(record, static_cast<uint32_t>(now / 1000000000));
        PutLittle(record + 4, static_cast<uint32_t>(now % 1000000000));
        PutLittle(record + 8, kept);
        PutLittle(record + 12, size);
        m_used += RECORD_BYTES + kept;
        m_frames++;
        if (m_used >= m_block)
        {
            if (!m_large)
            {
                m_large = true;
                PassCache(true);
            }
            Write(m_used / m_block * m_block);
        }
        for (size_t line = 0; line < 2 * 64; line += 64) // of the next record, whose place has left the cache by then
        {
            __builtin_prefetch(m_buffer + m_used + line, 1);
        }
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

    /// Room for one more record. A buffer is never larger than a block and a frame.
    void Reserve(size_t bytes)
    {
        if (m_used + bytes + ALIGNMENT <= m_memory.size())
        {
            return;
        }
        // The system gives memory when it is touched: most of a large block costs a small file nothing.
        std::vector<uint8_t> memory;
        memory.swap(m_memory);
        m_memory.reserve(m_block + RECORD_BYTES + bytes + ALIGNMENT);
        const auto start = reinterpret_cast<uintptr_t>(m_memory.data());
        const size_t skip = (ALIGNMENT - start % ALIGNMENT) % ALIGNMENT;
#ifdef MADV_HUGEPAGE
        madvise(m_memory.data() + skip, m_memory.capacity() / ALIGNMENT * ALIGNMENT - ALIGNMENT,
                MADV_HUGEPAGE); // fewer to pin
#endif
        m_memory.resize(std::min(m_memory.capacity(), std::max(2 * memory.size(), m_used + bytes + ALIGNMENT)));
        uint8_t* buffer = m_memory.data() + skip;
        if (m_used)
        {
            std::memcpy(buffer, m_buffer, m_used);
        }
        m_buffer = buffer;
    }

    /// Write the first bytes of the buffer, and move the others to its front.
    void Write(size_t bytes)
    {
        if (!m_error && !Put(m_buffer, bytes))
        {
            m_error = errno;
        }
        std::memmove(m_buffer, m_buffer + bytes, m_used - bytes);
        m_used -= bytes;
    }

#if defined(__linux__) && defined(O_DIRECT)
    /// Let blocks pass by the system's cache, or not. A file system that cannot refuses it, and nothing changes.
    void PassCache(bool on)
    {
        struct stat info;
        const int fd = fileno(m_file);
        const int flags = fcntl(fd, F_GETFL);
        if (flags != -1 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        {
            m_passing = fcntl(fd, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0 && on;
        }
    }

    bool Put(const uint8_t* data, size_t bytes)
    {
        while (bytes)
        {
            const ssize_t n = write(fileno(m_file), data, bytes);
            if (n > 0)
            {
                data += n;
                bytes -= static_cast<size_t>(n);
            }
            else if (n < 0 && errno == EINVAL && m_passing)
            {
                PassCache(false); // a disk of larger sectors, or a part of a block after a write that was cut short
            }
            else if (n < 0 && errno != EINTR)
            {
                return false;
            }
        }
        return true;
    }
#else
    void PassCache(bool)
    {
    }

    bool Put(const uint8_t* data, size_t bytes)
    {
        return std::fwrite(data, 1, bytes, m_file) == bytes;
    }
#endif

    Ptr<QbbNetDevice> m_device;
    std::string m_fileName;
    uint32_t m_snaplen;
    Direction m_direction;
    size_t m_block; //!< a multiple of ALIGNMENT
    std::FILE* m_file;
    int m_error; //!< errno of the first failure
    std::vector<uint8_t> m_memory;
    uint8_t* m_buffer{nullptr}; //!< in m_memory, aligned
    size_t m_used{0};
    uint64_t m_frames{0};
    bool m_large{false};   //!< a block was written
    bool m_passing{false}; //!< by the cache
};

RccPcap::RccPcap() = default;

RccPcap::~RccPcap() = default;

std::string
RccPcap::EnablePcap(Ptr<QbbNetDevice> device, const std::string& fileName, uint32_t snaplen, Direction direction)
{
    const size_t block = m_captures.size() < FEW_FILES ? LARGE_BLOCK : SMALL_BLOCK;
    std::unique_ptr<Capture> capture(new Capture(device, fileName, snaplen, direction, block));
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
