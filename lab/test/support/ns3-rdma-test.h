/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What the suites of the ns3-rdma files share. */
#ifndef NS3_RDMA_TEST_H
#define NS3_RDMA_TEST_H

#include "rcc-test-folder.h"
#include "rcc-test.h"

#include "ns3/ns3-rdma-reader.h"

#include <algorithm>

namespace ns3
{

/// \return whether one of the lines has the text in it
inline bool
LabTestHas(const std::vector<std::string>& lines, const std::string& text)
{
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& l) { return l.find(text) != std::string::npos; });
}

inline std::string
LabTestLines(const std::vector<std::string>& lines)
{
    std::string all;
    for (const auto& l : lines)
    {
        all += l + "\n";
    }
    return all;
}

/// The text with line ends of two bytes.
inline std::string
LabTestCrlf(const std::string& text)
{
    std::string out;
    for (char c : text)
    {
        out += c == '\n' ? "\r\n" : std::string(1, c);
    }
    return out;
}

/// Read a topology, and check the error.
inline Ns3RdmaTopology
LabTestTopology(const std::string& text, const std::string& error = "")
{
    RccTestFolder folder;
    Ns3RdmaTopology topology;
    RCC_CHECK_EQ(folder.Short(Ns3RdmaReader::ReadTopology(folder.Write("t.txt", text), topology)), error, text);
    topology.path = "t.txt";
    return topology;
}

/// Hosts 0 to 3, 5 and 6, switch 4; 6 has no link.
inline Ns3RdmaTopology
LabTestStar7()
{
    return LabTestTopology(
        "7 1 5\n4\n0 4 10Gbps 1us\n1 4 10Gbps 1us\n2 4 10Gbps 1us\n3 4 10Gbps 1us\n5 4 10Gbps 1us\n");
}

} // namespace ns3

#endif /* NS3_RDMA_TEST_H */
