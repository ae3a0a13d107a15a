/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-setup.h"

#include "lab-capture.h"
#include "lab-fault-run.h"
#include "lab-guard.h"
#include "lab-nic.h"
#include "lab-port-log.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/lab-text.h"
#include "ns3/uinteger.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace ns3
{

namespace
{

/// Create a folder and its parents. \return false, errno set
bool
MakeFolder(const std::string& path)
{
    for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1))
    {
        const std::string part = path.substr(0, slash);
        struct stat info;
        if (mkdir(part.c_str(), 0777) != 0 && (stat(part.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)))
        {
            return false;
        }
        if (slash == std::string::npos)
        {
            return true;
        }
    }
}

} // namespace

LabSetup::LabSetup(const LabOptions& parsed)
    : options(parsed),
      algorithm(options.CreateAlgorithm()),
      seed(options.Get<uint64_t>("seed")),
      rate(options.Get<uint64_t>("rate")),
      time(options.Get("time")),
      ackEvery(options.Get<uint32_t>("ack-every"))
{
    const std::string why = algorithm->Check(rate);
    LabOptions::FailIf(why.empty() ? why : why + " (--rate=" + RccFormat(RCC_UNIT_BPS, options.Get("rate")) + ")");
    ReadWindow();
    LabCapture::Configure(options);
    SetAttributes();
    SetRetransmission();
    options.ApplyAttributes(); // over the defaults that the options have set
}

/// Of all NICs, whoever makes them.
void
LabSetup::SetRetransmission() const
{
    if (options.IsSet("rto"))
    {
        Config::SetDefault("ns3::RdmaNic::RetransmissionTimeout", TimeValue(NanoSeconds(options.Get("rto"))));
    }
    if (options.IsSet("retry-limit"))
    {
        Config::SetDefault("ns3::RdmaNic::RetransmissionBackoff", BooleanValue(true));
        Config::SetDefault("ns3::RdmaNic::RetryLimit", UintegerValue(options.Get<uint64_t>("retry-limit")));
    }
}

void
LabSetup::SetAttributes()
{
    const auto mtu = options.Get<uint32_t>("mtu");
    const UintegerValue maxFrame(mtu + QbbHelper::GetMaxOverhead());
    helper.SetSeed(seed);
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
    helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(options.Get("delay"))));
    helper.SetSwitchAttribute("BufferSize", UintegerValue(options.Get<uint64_t>("buffer")));
    helper.SetSwitchAttribute("MaxFrame", maxFrame);
    helper.SetCioqSwitchAttribute("MaxFrame", maxFrame);
    helper.SetNicAttribute("Mtu", UintegerValue(mtu));
    helper.SetNicAttribute("AckEvery", UintegerValue(ackEvery));
    if (options.IsSet("nic"))
    {
        LabNic::Find(options.GetText("nic")).SetDelays();
    }
}

void
LabSetup::ReadWindow()
{
    const std::string& text = options.GetText("window");
    const size_t dash = text.find('-');
    if (text.empty())
    {
        return;
    }
    const bool isWindow = dash != std::string::npos &&
                          RccParse(RCC_UNIT_NS, text.substr(0, dash), &windowFrom).empty() &&
                          RccParse(RCC_UNIT_NS, text.substr(dash + 1), &windowTo).empty();
    options.FailValueIf(!isWindow, "window", "FROM-TO such as 50ms-100ms");
    options.FailValueIf(windowFrom >= windowTo || windowTo > time, "window",
                        "FROM before TO and TO at most --time, '" + options.GetText("time") + "'");
}

std::string
LabSetup::MakeOutputFolder() const
{
    const std::string& folder = options.GetText("out");
    if (!folder.empty() && !MakeFolder(folder))
    {
        LabOptions::Fail("cannot create the folder " + folder + ": " + std::strerror(errno));
    }
    return folder;
}

LabFile
LabSetup::OpenFile(const std::string& path, const char* header)
{
    std::string why;
    LabFile file = LabCreateFile(path, &why);
    LabOptions::FailIf(why);
    std::fputs(header, file.get());
    return file;
}

} // namespace ns3
