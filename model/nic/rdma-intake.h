/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_INTAKE_H
#define RDMA_INTAKE_H

#include "ns3/qbb-net-device.h"
#include "rcc_arrival.h"

namespace ns3
{

class RdmaNic;

/**
 * The receive buffer of a port whose host reads data more slowly than the link brings them (rcc_intake). It stands
 * between the port and the NIC, so that NICs without it pay nothing. Data and their trimmed headers wait in the order
 * of their arrival; ACKs, NAKs, CNPs and packets of the internet stack pass.
 */
class RdmaIntake : public QbbFrameSource
{
  public:
    /// \param nic owns this \param port of it, which belongs to this from now on
    RdmaIntake(RdmaNic& nic, uint32_t port);

    /**
     * Change how the host reads.
     * \param limit bytes of a class that may wait \param lossless classes with PFC, one bit each
     * \param rate bit/s; 0 = nothing is read until Resume
     */
    void Set(uint64_t limit, uint8_t lossless, uint64_t rate);

    /// Read again. \param rate bit/s; 0 = all that waits at once, and what comes at once \param now ns
    void Resume(uint64_t rate, int64_t now);

    /// Give back what waits, and read nothing any more.
    void Clear();

    // QbbFrameSource
    std::string DescribeStart() const override;
    uint32_t GetLargestFrame() const override;
    void FrameArrived(uint32_t port, RccFrame* frame, int64_t now) override;
    void PrefetchArrival(uint32_t port, const RccFrame& frame, uint32_t step) override;
    void FrameLeaves(uint32_t port, RccFrame* frame, int64_t now) override;
    void PauseChanged(uint32_t port, uint8_t paused, int64_t now) override;
    void FrameLost(uint32_t port, RccFrame* frame, int64_t now) override;
    void LinkDown(uint32_t port, int64_t now) override;
    void LinkUp(uint32_t port, int64_t now) override;
    RccFrame* NextFrame(uint32_t port, int64_t now, uint8_t paused) override;
    int64_t NextDue(uint32_t port, uint8_t paused) override;
    void PrefetchSend(uint32_t port, uint32_t step) override;

  private:
    static void ReadDue(void* intake, int64_t now);
    static void RefreshDue(void* intake, int64_t now);
    void Read(int64_t now);
    void Pause(uint8_t before, int64_t now);

    RdmaNic& m_nic;
    Ptr<QbbNetDevice> m_device;
    uint32_t m_port;
    rcc_intake m_core{};
    bool m_passes{false}; //!< frames do not wait here: reading was resumed without a rate
    RccFrameQueue m_held;
    RccEvent m_read, m_refresh;
};

} // namespace ns3

#endif /* RDMA_INTAKE_H */
