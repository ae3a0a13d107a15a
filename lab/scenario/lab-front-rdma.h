/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FRONT_RDMA_H
#define LAB_FRONT_RDMA_H

#include "lab-front.h"

#include "ns3/ns3-rdma-reader.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/// Turns the files of ns3-rdma and of the HPCC simulator, merged with the options, into a run file.
class LabFrontRdma
{
  public:
    /// \param front gets the run \param options merged with the files \param input of the files
    LabFrontRdma(LabFront& front, const LabOptions& options, const Ns3RdmaInput& input);

    /// Read all of it. Exits with status 2 if something is wrong.
    void Read();

    /// Run the file. \return exit status of the program
    int Run();

  private:
    void ReadWindow();
    void ReadNetwork();
    void ReadAttributes();
    void ReadBuffer();
    void ReadReading();
    void ReadAlgorithms();
    void ReadThresholds(uint32_t number, Ptr<RccAlgorithm> algorithm);
    void ReadMarkers();
    void ReadFlows();
    void ReadTcp();
    void ReadOutputs();
    uint8_t GetClasses() const;

    LabFront& m_front;
    RunFile& m_file;
    const LabOptions& m_options;
    const Ns3RdmaConfig& m_config;
    const Ns3RdmaTopology& m_topology;
    const Ns3RdmaInput& m_input;
    std::map<std::string, uint32_t> m_numbers;   //!< of the algorithms, by name
    std::vector<Ptr<RccAlgorithm>> m_algorithms; //!< by number
};

} // namespace ns3

#endif /* LAB_FRONT_RDMA_H */
