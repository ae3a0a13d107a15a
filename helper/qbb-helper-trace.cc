/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbHelper's files of what passes ports, in the manner of ns-3's device helpers. */
#include "qbb-helper.h"
#include "rcc-pcap.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/packet.h"

#include <cstdio>
#include <iostream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbHelper");

namespace
{

/// The captures of a port, for as long as the simulation lasts.
class QbbPortCaptures : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::QbbPortCaptures").SetParent<Object>().SetGroupName("Rcc");
        return tid;
    }

    RccPcap pcap;

  private:
    void DoDispose() override
    {
        const std::string why = pcap.Close();
        if (!why.empty())
        {
            std::cerr << "rcc: warning: " << why << std::endl;
        }
        Object::DoDispose();
    }
};

NS_OBJECT_ENSURE_REGISTERED(QbbPortCaptures);

/// One line: what happened, s, the path of its trace source or nothing, the frame, and the packet of the internet stack
/// that it carries.
void
WriteLine(Ptr<OutputStreamWrapper> stream, char what, std::string context, const RccFrame& frame)
{
    const int64_t now = RccNow();
    char time[40];
    std::snprintf(time, sizeof time, "%lld.%09lld", static_cast<long long>(now / 1000000000),
                  static_cast<long long>(now % 1000000000));
    std::ostream& out = *stream->GetStream();
    out << what << ' ' << time << ' ' << context << (context.empty() ? "" : " ") << frame;
    if (frame.kind == RccFrameKind::IP && frame.packet)
    {
        out << ' ' << *frame.packet;
    }
    out << '\n';
}

} // namespace

void
QbbHelper::EnablePcapInternal(std::string prefix, Ptr<NetDevice> nd, bool, bool explicitFilename)
{
    Ptr<QbbNetDevice> device = DynamicCast<QbbNetDevice>(nd);
    if (!device)
    {
        NS_LOG_INFO("device " << nd << " is no QbbNetDevice"); // EnablePcapAll asks for all there are
        return;
    }
    const std::string name = explicitFilename ? prefix : PcapHelper().GetFilenameFromDevice(prefix, device);
    Ptr<QbbPortCaptures> captures = device->GetObject<QbbPortCaptures>();
    if (!captures)
    {
        captures = CreateObject<QbbPortCaptures>();
        device->AggregateObject(captures);
    }
    const std::string why = captures->pcap.EnablePcap(device, name);
    NS_ABORT_MSG_IF(!why.empty(), why);
}

void
QbbHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream, std::string prefix, Ptr<NetDevice> nd,
                               bool explicitFilename)
{
    Ptr<QbbNetDevice> device = DynamicCast<QbbNetDevice>(nd);
    if (!device)
    {
        NS_LOG_INFO("device " << nd << " is no QbbNetDevice");
        return;
    }
    Packet::EnablePrinting(); // for packets of the internet stack
    std::string path;
    if (stream) // several devices share it
    {
        path = "/NodeList/" + std::to_string(device->GetNode()->GetId()) + "/DeviceList/" +
               std::to_string(device->GetIfIndex()) + "/$ns3::QbbNetDevice/";
    }
    else
    {
        AsciiTraceHelper ascii;
        stream = ascii.CreateFileStream(explicitFilename ? prefix : ascii.GetFilenameFromDevice(prefix, device));
    }
    static const std::pair<char, const char*> sources[] = {
        {'+', "Enqueue"}, {'-', "Dequeue"}, {'d', "Drop"}, {'r', "Receive"}};
    for (const auto& source : sources)
    {
        const std::string context = path.empty() ? path : path + source.second;
        device->TraceConnectWithoutContext(source.second, MakeBoundCallback(&WriteLine, stream, source.first, context));
    }
}

} // namespace ns3
