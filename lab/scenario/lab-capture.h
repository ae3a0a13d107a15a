/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_CAPTURE_H
#define LAB_CAPTURE_H

#include "lab-options.h"

#include "ns3/rcc-pcap.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * Applies the options that change the frames of a run (--vlan, --verb, --flow-control), and captures the ports that
 * --pcap and --capture name, with --snaplen.
 */
class LabCapture
{
  public:
    /// A port and the name of its file, without ".pcap".
    using Port = std::pair<Ptr<QbbNetDevice>, std::string>;

    /**
     * Set the defaults of devices that are created later: QbbNetDevice::VlanId and LinkPause, RdmaNic::Write; with a
     * capture, ns-3's ChecksumEnabled. Exits with status 2 if a capture has no folder to go to.
     */
    static void Configure(const LabOptions& options);

    /// \return whether a capture is asked for
    static bool IsWanted(const LabOptions& options);

    /**
     * Find the ports that the options name, each once, after the network was built. Exits with status 2 if one does not
     * exist.
     * \param options parsed
     * \param watched the ports to capture if --capture names none
     */
    void Choose(const LabOptions& options, const std::vector<Port>& watched);

    /// Begin to capture the chosen ports. Exits with status 2 if a file in the folder cannot be written.
    void Open(const std::string& folder);

    /// End the captures. \return empty, or which file is not whole and why
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

#endif /* LAB_CAPTURE_H */
