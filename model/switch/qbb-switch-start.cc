/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbSwitch: what Start checks and makes for ports, congestion points and the shared buffer. */
#include "qbb-spray.h"
#include "qbb-switch.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// In the units of rcc_mmu_config.
uint32_t
ToAlpha(double alpha)
{
    return static_cast<uint32_t>(alpha * 65536 + 0.5);
}

} // namespace

/// \return empty, or which port that is spoken of cannot work
std::string
QbbSwitch::CheckPorts() const
{
    const std::string why = CheckRoutes();
    const uint32_t last = m_policers.empty() ? 0 : m_policers.rbegin()->first;
    return !why.empty() || m_policers.empty() || last < GetNPorts()
               ? why
               : "a policer is before port " + std::to_string(last) + ", " + DescribePorts();
}

/// \return bytes by which frames may grow on their way
uint32_t
QbbSwitch::GetTelemetryRoom() const
{
    uint32_t bytes = 0;
    for (const auto& a : m_algorithms)
    {
        const bool stamps = GetNPorts() && rcc_cp_watches(a.second->GetCore()) == RCC_CP_TELEMETRY;
        const uint8_t form = stamps ? a.second->GetRpProfile(m_devices[0]->GetRate())->needs.int_form : 0;
        bytes = std::max(bytes, rcc_wire_int_bytes(form, RCC_PATH_MAX));
    }
    return bytes;
}

/// Make the ports with their congestion points. \return empty, or why one cannot work
std::string
QbbSwitch::StartPorts()
{
    std::string why;
    m_ports.clear();
    m_ports.reserve(GetNPorts());
    for (uint32_t index = 0; index < GetNPorts() && why.empty(); index++)
    {
        m_ports.emplace_back();
        Port& p = m_ports.back();
        p.device = m_devices[index];
        p.self = this;
        p.index = index;
        p.quanta = m_pauseTime.IsZero()
                       ? m_pauseQuanta
                       : rcc_pfc_quanta_of(m_pauseTime.GetNanoSeconds(), p.device->GetRate(), m_maxFrame);
        why = CheckRates(index);
        why = why.empty() && m_losslessMask ? CheckQuanta(p.quanta) : why;
        StartMarkers(p);
    }
    return why;
}

/// Set up the links and devices of a switch once Start can no longer refuse.
void
QbbSwitch::TellDevices() const
{
    for (const auto& port : m_ports)
    {
        DynamicCast<QbbChannel>(port.device->GetChannel())->SetCutThrough(*port.device, m_cutThrough);
        if (m_trimSize)
        {
            UintegerValue strict;
            port.device->GetAttribute("StrictClasses", strict);
            port.device->SetAttribute("StrictClasses", UintegerValue(strict.Get() | (1u << m_trimClass)));
        }
    }
}

void
QbbSwitch::StartMarkers(Port& port)
{
    for (auto& a : m_algorithms)
    {
        const auto watches = rcc_cp_watches(a.second->GetCore());
        const bool stamps = watches == RCC_CP_TELEMETRY;
        Marker m = {};
        m.cls = stamps ? QBB_CLASSES : a.first;
        m.stamped = stamps ? a.first : QBB_CLASSES;
        if (stamps)
        {
            const rcc_needs& needs = a.second->GetRpProfile(port.device->GetRate())->needs;
            m.scale = needs.int_scale;
            m.pint = needs.int_form == RCC_INT_PINT;
        }
        m.cnTagged = watches == RCC_CP_CN_TAGGED;
        m.cp = StartPoint(m.memory, *a.second, port.index, static_cast<uint32_t>(port.markers.size()));
        port.marksJoining = port.marksJoining || (m.cp->enqueued && !stamps);
        port.marksLeaving = port.marksLeaving || (m.cp->dequeued && !stamps);
        port.markers.push_back(std::move(m));
    }
}

void
QbbSwitch::ForgetMarkers()
{
    for (auto& port : m_ports)
    {
        port.markers.clear();
        StartMarkers(port);
    }
}

void
QbbSwitch::RestartDraws()
{
    ForgetMarkers();
    if (m_spray)
    {
        m_spray->Forget();
    }
}

void
QbbSwitch::SetBaseRtt(int64_t ns)
{
    bool averages = false;
    for (size_t i = 0; m_started && i < m_algorithms.size(); i++)
    {
        const auto& a = m_algorithms[i];
        const rcc_needs& needs = a.second->GetRpProfile(m_devices[0]->GetRate())->needs;
        if (rcc_cp_watches(a.second->GetCore()) == RCC_CP_TELEMETRY && needs.int_form == RCC_INT_PINT)
        {
            a.second->SetBaseRtt(ns);
            averages = true;
        }
    }
    if (averages)
    {
        ForgetMarkers();
    }
}

std::string
QbbSwitch::StartMmu()
{
    const auto alpha = static_cast<uint32_t>(m_alpha * (1 << 20));
    const rcc_mmu_rules rules = {m_alphaRate.GetBitRate(), alpha, m_headroomDelays, m_maxFrame, m_headroom};
    std::vector<rcc_mmu_port> ports;
    for (const auto& port : m_ports)
    {
        const int64_t delay = DynamicCast<QbbChannel>(port.device->GetChannel())->GetDelayNs();
        ports.push_back(rcc_mmu_port_of(&rules, port.device->GetRate(), delay));
    }
    const auto n = static_cast<uint32_t>(ports.size());
    const rcc_mmu_config config = {m_bufferSize, m_poolSize,     m_headroom,  m_staticThreshold,     ToAlpha(m_alpha),
                                   m_maxFrame,   m_losslessMask, m_resumeGap, ToAlpha(m_egressAlpha)};
    rcc_mmu_problem problem;
    m_mmuMemory.reset(new uint64_t[rcc_mmu_size(n) / 8 + 1]);
    m_mmu = rcc_mmu_start(m_mmuMemory.get(), &config, ports.data(), n, &problem);
    std::ostringstream why;
    m_started = m_mmu != nullptr;
    if (!m_mmu && problem.error == RCC_MMU_HEADROOM_TOO_SMALL)
    {
        const rcc_mmu_port& p = ports[problem.port];
        why << "headroom of " << problem.headroom << " bytes is below the " << problem.needed << " bytes that port "
            << problem.port << " needs: 2 x " << p.delay << " ns x " << p.rate << " bit/s + 3 frames of " << m_maxFrame
            << " bytes + a PFC frame of " << PFC_BYTES << " bytes";
    }
    else if (!m_mmu)
    {
        why << "buffer of " << m_bufferSize << " bytes cannot be lossless: headroom for " << n << " ports x "
            << problem.classes << " lossless class(es), at most " << problem.headroom
            << " bytes each (2 x delay x rate + 3 frames + a PFC frame), takes " << problem.reserved
            << " bytes, and the shared pool needs " << problem.pool;
    }
    return why.str();
}

} // namespace ns3
