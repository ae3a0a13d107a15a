/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-channel.h"

#include "qbb-net-device.h"
#include "rcc-random.h"

#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbChannel");
NS_OBJECT_ENSURE_REGISTERED(QbbChannel);

TypeId
QbbChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Rcc")
                            .AddConstructor<QbbChannel>()
                            .AddAttribute("Delay", "Propagation delay.", TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&QbbChannel::SetDelay, &QbbChannel::GetDelay),
                                          MakeTimeChecker(NanoSeconds(0)));
    return tid;
}

QbbChannel::QbbChannel() : m_pool(RccFramePool::Current())
{
}

QbbChannel::~QbbChannel() = default;

void
QbbChannel::DoDispose()
{
    for (auto& d : m_directions)
    {
        d.frames.Dispose(*m_pool);
    }
    m_devices[0] = m_devices[1] = nullptr;
    Channel::DoDispose();
}

Ptr<NetDevice>
QbbChannel::GetDevice(std::size_t i) const
{
    return i < m_nDevices ? m_devices[i] : nullptr;
}

Ptr<QbbNetDevice>
QbbChannel::GetPeer(const QbbNetDevice* device) const
{
    if (m_nDevices < 2)
    {
        return nullptr;
    }
    return PeekPointer(m_devices[0]) == device ? m_devices[1] : m_devices[0];
}

void
QbbChannel::Attach(Ptr<QbbNetDevice> device)
{
    NS_ABORT_MSG_IF(m_nDevices == 2, "QbbChannel: a third device on a point-to-point link");
    NS_LOG_FUNCTION(this << device);
    uint32_t end = m_nDevices++;
    m_devices[end] = device;
    Direction& d = m_directions[1 - end]; // what the other end sends arrives here
    d.receiver = PeekPointer(device);
    d.frames.Bind(&QbbChannel::Arrived, &d);
}

void
QbbChannel::SetErrorRate(double probability, uint64_t stream)
{
    NS_ABORT_MSG_IF(!(probability >= 0 && probability <= 1), "an error rate of " << probability);
    NS_LOG_FUNCTION(this << probability << stream);
    m_errors = static_cast<uint64_t>(probability * 4294967296.0 + 0.5);
    m_errorStream = stream;
    m_lossy = m_lossy || m_errors;
}

bool
QbbChannel::Loses(uint32_t end, const RccFrame* frame)
{
    if (m_down || (m_lose && m_lose(m_loseContext, frame)))
    {
        return true;
    }
    if (!m_errors || (frame->kind != RccFrameKind::DATA && frame->kind != RccFrameKind::IP))
    {
        return false;
    }
    return RccDraw(RccMix(m_errorStream ^ end), m_directions[end].draws++) < m_errors;
}

void
QbbChannel::Lose(uint32_t end, RccFrame* frame)
{
    m_lost++;
    if (m_directions[end].receiver)
    {
        m_directions[end].receiver->LostOnLink(*frame);
    }
    m_pool->Put(frame);
}

void
QbbChannel::TakeDown(int64_t now)
{
    NS_LOG_FUNCTION(this << now);
    m_down = m_lossy = true;
    for (uint32_t end = 0; end < 2; end++)
    {
        RccFrameQueue lost = m_directions[end].frames.TakeAll();
        while (!lost.IsEmpty())
        {
            Lose(end, lost.Pop());
        }
    }
    for (auto& device : m_devices)
    {
        if (device)
        {
            device->LinkDown(now);
        }
    }
}

void
QbbChannel::Arrived(void* direction, int64_t now)
{
    auto d = static_cast<Direction*>(direction);
    while (RccFrame* frame = d->frames.PopDue(now))
    {
        d->receiver->Arrived(frame, now);
    }
}

} // namespace ns3
