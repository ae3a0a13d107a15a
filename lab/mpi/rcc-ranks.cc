/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Makes the gateway of a process that is one of several. Linking this file is enough. */
#include "rcc-rank-gateway.h"
#include "rcc-stock-gateway.h"

#include "ns3/global-value.h"
#include "ns3/mpi-interface.h"
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

std::unique_ptr<RccGateway> g_gateway;

void
Use(RccGateway* gateway)
{
    g_gateway.reset(gateway);
    RccGateway::SetCurrent(gateway);
}

void
End()
{
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    const auto ranks = dynamic_cast<RccRankGateway*>(g_gateway.get());
    if (ranks && !ranks->GetDead().empty())
    {
        ranks->Leave();
    }
    if (initialized && !finalized)
    {
        if (ranks)
        {
            ranks->Close();
        }
        MPI_Finalize();
    }
}

/// Under ns-3's own distributed simulator by ns-3's means, else by ours.
void
Start(int* argc, char*** argv)
{
    if (!std::getenv("OMPI_COMM_WORLD_SIZE") && !std::getenv("PMI_SIZE"))
    {
        return; // not started as one of several
    }
    StringValue type;
    GlobalValue::GetValueByName("SimulatorImplementationType", type);
    if (type.Get() == "ns3::DistributedSimulatorImpl" || type.Get() == "ns3::NullMessageSimulatorImpl")
    {
        MpiInterface::Enable(argc, argv);
        Use(new RccStockGateway);
    }
    else
    {
        MPI_Init(argc, argv);
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RccRankSimulatorImpl"));
        Use(new RccRankGateway);
    }
    std::atexit(End);
    if (g_gateway->GetRank() > 0 && !std::freopen("/dev/null", "w", stdout)) // the first rank speaks for all
    {
        std::perror("/dev/null");
    }
}

/// Of a main that enabled ns-3's MpiInterface itself.
void
Find()
{
    if (MpiInterface::IsEnabled())
    {
        Use(new RccStockGateway);
    }
}

/// Registers both before main.
const struct Registration
{
    Registration()
    {
        RccGateway::SetStarters(&Start, &Find);
    }
} g_registration;

} // namespace

} // namespace ns3
