/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_PORT_LOG_H
#define LAB_PORT_LOG_H

#include "lab-setup.h"

#include "lab-file.h"
#include "ns3/qbb-net-device.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * Queue, sending rate and pauses of every port of a network, for ./rcc run --perfetto:
 * port_series.csv (time_s,port,queue_bytes,sent_bps; a row where either is not 0, and one where both have become 0) and
 * port_pauses.csv (time_s,port,class,paused; a row when the peer pauses or resumes a class).
 */
class LabPortLog
{
  public:
    LabPortLog() = default;
    LabPortLog(const LabPortLog&) = delete;
    LabPortLog& operator=(const LabPortLog&) = delete;

    /// Create the files, and begin with all ports that there are. Exits with status 2 if that does not work.
    /// \param folder of the run's files
    void Open(const std::string& folder);

    /// Write the rows of this time, after Open. \param interval ns since the last ones; 0: the first one begins now
    void WriteRows(int64_t interval);

    /// Close the files: no more rows are written.
    void Close();

  private:
    struct Port
    {
        Ptr<QbbNetDevice> device;
        std::string name;  //!< "host 3 port 0"
        uint64_t sent;     //!< bytes at the last row
        bool active;       //!< the last row was not 0
        LabPortLog* owner; //!< log of the pauses
        static void HandlePause(Port* port, uint8_t cls, bool paused);
    };

    std::vector<Port> m_ports;
    LabFile m_series, m_pauses;
};

} // namespace ns3

#endif /* LAB_PORT_LOG_H */
