/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Makes the gateway of a process that is one of several. Linking this file is enough. */
#include "lab-rank-gateway.h"

#include "ns3/global-value.h"
#include "ns3/string.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mpi.h>
#include <string>

namespace ns3
{

namespace
{

std::unique_ptr<LabRankGateway> g_gateway;

void
End()
{
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!g_gateway->GetDead().empty())
    {
        g_gateway->Leave();
    }
    if (initialized && !finalized)
    {
        g_gateway->Close();
        MPI_Finalize();
    }
}

void
Start(int* argc, char*** argv)
{
    if (!std::getenv("OMPI_COMM_WORLD_SIZE") && !std::getenv("PMI_SIZE"))
    {
        return; // not started as one of several
    }
    MPI_Init(argc, argv);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::LabRankSimulatorImpl"));
    g_gateway.reset(new LabRankGateway);
    RccGateway::SetCurrent(g_gateway.get());
    std::atexit(End);
    if (g_gateway->GetRank() > 0 && !std::freopen("/dev/null", "w", stdout)) // the first rank speaks for all
    {
        std::perror("/dev/null");
    }
}

/// Registers it before main.
const struct Registration
{
    Registration()
    {
        RccGateway::SetStarter(&Start);
    }
} g_registration;

} // namespace

} // namespace ns3
