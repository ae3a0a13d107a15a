/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-names.h"

#include "ns3/rcc-text.h"

#include <map>

namespace ns3
{

std::string
Ns3RdmaCheckOutputNames(const Ns3RdmaConfig& config, const std::set<std::string>& others)
{
    const struct
    {
        const char* key;
        const std::string& path;
    } files[] = {{"FCT_OUTPUT_FILE", config.fctOutput},
                 {"PFC_OUTPUT_FILE", config.pfcOutput},
                 {"QLEN_MON_FILE", config.qlenOutput},
                 {"TRACE_OUTPUT_FILE", config.traceOutput}};
    std::map<std::string, std::string> taken; // name and whose it is
    for (const auto& name : others)
    {
        taken[name] = "a file of the run itself";
    }
    for (const auto& f : files)
    {
        const std::string name = f.path.substr(f.path.rfind('/') + 1); // npos + 1 is 0
        if (f.path.empty())
        {
            continue;
        }
        std::string wrong;
        if (name.empty() || name == "." || name == "..")
        {
            wrong = std::string(f.key) + ": found '" + f.path + "', expected the name of a file";
        }
        else if (!taken.emplace(name, f.key).second)
        {
            wrong =
                std::string(f.key) + ": found '" + f.path + "', the name of " + taken[name] + ", expected another one";
        }
        if (!wrong.empty())
        {
            return RccAt(config.path, config.LineOf(f.key), wrong);
        }
    }
    return "";
}

} // namespace ns3
