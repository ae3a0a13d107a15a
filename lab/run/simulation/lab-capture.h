/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_CAPTURE_H
#define LAB_CAPTURE_H

#include "run-file.h"

#include "ns3/rcc-pcap.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Captures the ports that a run file names.
class LabCapture
{
  public:
    /**
     * Find the ports, each once, after the network was built.
     * \param file of the run
     * \param places the watched port, and those of the first flow's receiver and sender, as RunCapturePlace names them
     */
    void Choose(const RunFile& file, const std::vector<Ptr<QbbNetDevice>>& places);

    /// Begin to capture the chosen ports. Throws RunError if a file in the folder cannot be written.
    void Open(const std::string& folder);

    /// End the captures. \return empty, or which file is not whole and why
    std::string Close()
    {
        return m_pcap.Close();
    }

  private:
    std::vector<std::pair<Ptr<QbbNetDevice>, std::string>> m_ports; //!< ports, and names of their files
    uint32_t m_snaplen{0};
    RccPcap m_pcap;
};

} // namespace ns3

#endif /* LAB_CAPTURE_H */
