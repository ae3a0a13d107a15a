/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_PCAP_H
#define RCC_PCAP_H

#include "ns3/qbb-net-device.h"
#include "ns3/rcc-compiler.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * Writes what passes ports into pcap files (classic format, nanoseconds, Ethernet),
 * with the bytes that RccWire gives frames. It looks on: a run with it and one
 * without are the same run.
 *
 *     RccPcap pcap;
 *     std::string why = pcap.EnablePcap(device, "port.pcap");   // empty: it worked
 *     Simulator::Run();
 *     why = pcap.Close();
 *
 * A frame that is sent has the time at which its first bit leaves; one that is
 * received, the time at which its last bit arrives. Marks are as they leave the
 * port: a switch decides on them just before. The file does not say which way a
 * frame went; addresses do. QbbHelper::EnablePcap does the same in ns-3's way.
 */
class RccPcap
{
  public:
    /// Which frames of a port to write.
    enum Direction
    {
        SENT = 1,
        RECEIVED = 2,
        BOTH = 3
    };

    /// Longer than any frame.
    static const uint32_t WHOLE_FRAMES = 262144;

    RccPcap();
    ~RccPcap();

    /**
     * Begin to capture a port.
     * \param device the port, on a node already
     * \param fileName overwritten
     * \param snaplen bytes kept of each frame; at least 1
     * \param direction which frames
     * \return empty, or why the file cannot be written
     */
    RCC_NODISCARD std::string EnablePcap(Ptr<QbbNetDevice> device, const std::string& fileName,
                                         uint32_t snaplen = WHOLE_FRAMES, Direction direction = BOTH);

    /**
     * End all captures; the destructor does it too, without a word.
     * \return empty, or what could not be written, for the first file that is not whole
     */
    RCC_NODISCARD std::string Close();

    /// \return frames captured so far, all files together
    uint64_t GetFrames() const;

  private:
    class Capture;

    std::vector<std::unique_ptr<Capture>> m_captures;
    uint64_t m_closedFrames{0};
};

} // namespace ns3

#endif /* RCC_PCAP_H */
