/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-setup.h"

#include "rcc-capture.h"
#include "rcc-fault-run.h"
#include "rcc-guard.h"
#include "rcc-nic.h"
#include "rcc-port-log.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/rcc-text.h"
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

void
RccSetup::AddOptions(RccOptions& o)
{
    o.AddText("cc", "NAME", "dcqcn", "congestion control algorithm");
    o.AddText("preset", "NAME", "", "parameter set of the algorithms (./rcc algorithms lists them)",
              "the first of each");
    o.AddText("nic", "NAME", "",
              "a NIC as it is shipped: " + RccJoin(RccNic::GetNames(), ", ") + " (lab/doc/reality.md)",
              "none: --preset, and no delays");
    o.Add("rate", RCC_UNIT_BPS, "40Gbps", RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX, "rate of every link");
    o.Add("delay", RCC_UNIT_NS, "1us", 0, RCC_SECOND, "propagation delay of every link");
    o.Add("time", RCC_UNIT_NS, "0.4s", 1000, 1000 * RCC_SECOND, "simulated time");
    o.AddText("window", "FROM-TO", "", "what the averages cover, e.g. 50ms-100ms",
              "the second half, or all if every flow ends");
    o.Add("interval", RCC_UNIT_NS, "", 10, 1000 * RCC_SECOND, "simulated time between two rows of the CSV series",
          "1000 to 4000 rows");
    o.Add("seed", RCC_UNIT_COUNT, "1", 0, 999999999999999999, "random seed; the same seed gives the same bytes");
    o.Add("kmin", RCC_UNIT_BYTES, "", 0, 1000 * RCC_SECOND, "queue where ECN marking begins, e.g. 5KB",
          "of the preset");
    o.Add("kmax", RCC_UNIT_BYTES, "", 0, 1000 * RCC_SECOND, "queue where every packet is marked, e.g. 200KB",
          "of the preset");
    o.Add("pmax", RCC_UNIT_RATIO, "", 0, RCC_RATIO_ONE, "marking probability just below kmax, 0 to 1", "of the preset");
    o.Add("buffer", RCC_UNIT_BYTES, "9MB", 1000, 1000 * RCC_SECOND, "shared buffer of a switch");
    o.Add("cut-through", RCC_UNIT_BYTES, "0", 0, RCC_FRAME_MAX,
          "bytes of a frame after which a switch passes it on to a free port that is not faster, e.g. 64B; 0 = all of "
          "it (store and forward)");
    o.Add("mtu", RCC_UNIT_BYTES, "1000", 1, 9000, "payload of a full packet");
    o.Add("ack-every", RCC_UNIT_COUNT, "64", 1, 1000000, "packets per acknowledgement; 1 = one for each packet");
    o.AddList("set", "ALG.PARAM=VALUE", "", "set one parameter of one algorithm, e.g. dcqcn.g=0.0039");
    o.AddAttributes();
    RccCapture::AddOptions(o);
    RccGuard::AddOptions(o);
    o.Add("rto", RCC_UNIT_NS, "", 1000, 1000 * RCC_SECOND, "retransmission timeout", "67.108864ms");
    o.Add("retry-limit", RCC_UNIT_COUNT, "", 1, 1000000,
          "retransmission timeouts in a row that a flow survives, each twice as long as the one before (not with "
          "RdmaNic.Recovery=irn): the next one ends it",
          "none");
    RccFaultRun::AddOptions(o);
    RccPortLog::AddOptions(o);
    o.AddText("out", "DIR", "", "folder for the results", "print the summary");
    o.AddFlag("check", "check the options and stop");
    o.Add("ranks", RCC_UNIT_COUNT, "1", 1, 64, "processes that --check is asked about");
    o.AddFlag("progress", "print progress lines");
}

RccSetup::RccSetup(const RccOptions& parsed)
    : options(parsed),
      algorithm(options.CreateAlgorithm()),
      seed(options.Get<uint64_t>("seed")),
      rate(options.Get<uint64_t>("rate")),
      time(options.Get("time")),
      ackEvery(options.Get<uint32_t>("ack-every"))
{
    const std::string why = algorithm->Check(rate);
    RccOptions::FailIf(why.empty() ? why : why + " (--rate=" + RccFormat(RCC_UNIT_BPS, options.Get("rate")) + ")");
    ReadWindow();
    RccCapture::Configure(options);
    SetAttributes();
    SetRetransmission();
    options.ApplyAttributes(); // over the defaults that the options have set
}

/// Of all NICs, whoever makes them.
void
RccSetup::SetRetransmission() const
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
RccSetup::SetAttributes()
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
    if (options.IsChanged("cut-through")) // of all switches, whoever makes them
    {
        Config::SetDefault("ns3::QbbSwitch::CutThrough", UintegerValue(options.Get<uint64_t>("cut-through")));
    }
    if (options.IsSet("nic"))
    {
        RccNic::Find(options.GetText("nic")).SetDelays();
    }
}

void
RccSetup::ReadWindow()
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
RccSetup::MakeOutputFolder() const
{
    const std::string& folder = options.GetText("out");
    if (!folder.empty() && !MakeFolder(folder))
    {
        RccOptions::Fail("cannot create the folder " + folder + ": " + std::strerror(errno));
    }
    return folder;
}

RccFile
RccSetup::OpenFile(const std::string& path, const char* header)
{
    std::string why;
    RccFile file = RccCreateFile(path, &why);
    RccOptions::FailIf(why);
    std::fputs(header, file.get());
    return file;
}

} // namespace ns3
