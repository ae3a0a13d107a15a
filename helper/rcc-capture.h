/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_CAPTURE_H
#define RCC_CAPTURE_H

#include "ns3/rcc-options.h"
#include "rcc-pcap.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * What a run puts on its wires and what it captures of it: the options --vlan,
 * --verb, --flow-control, --pcap, --capture and --snaplen.
 */
class RccCapture
{
  public:
    /// A port and the name of its file, without ".pcap".
    using Port = std::pair<Ptr<QbbNetDevice>, std::string>;

    static void AddOptions(RccOptions& options);

    /**
     * Check the options and set the defaults of what is made from now on: QbbNetDevice::VlanId and LinkPause,
     * RdmaNic::Write; with a capture, ns-3's ChecksumEnabled. Exits with status 2 if they cannot be.
     */
    static void Configure(const RccOptions& options);

    /**
     * Bytes that the largest packet of devices with their default attributes has around its payload: headers, CN-TAG,
     * 802.1Q tag, RETH.
     */
    static uint32_t GetMaxOverhead();

    /// \return whether a capture is asked for
    static bool IsWanted(const RccOptions& options);

    /**
     * Find the ports that the options ask for, each once; the network is there. Exits with status 2 if one is not.
     * \param options
     * \param watched the ports of --pcap alone
     */
    void Choose(const RccOptions& options, const std::vector<Port>& watched);

    /// Begin to capture them. Exits with status 2 if a file in the folder cannot be written.
    void Open(const std::string& folder);

    /// \return empty, or which file is not whole and why
    std::string Close()
    {
        return m_pcap.Close();
    }

  private:
    std::vector<Port> m_ports;
    uint32_t m_snaplen{0};
    RccPcap m_pcap;
};

} // namespace ns3

#endif /* RCC_CAPTURE_H */
