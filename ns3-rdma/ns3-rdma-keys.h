/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_KEYS_H
#define NS3_RDMA_KEYS_H

#include "ns3-rdma-files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// How a key's value is written; what is stored is in bytes, ns, bit/s, ppb.
enum class Ns3RdmaKind
{
    FLAG,         //!< 0 or 1
    COUNT,        //!< whole number
    MICROSECONDS, //!< decimal
    NANOSECONDS,  //!< whole number
    SECONDS,      //!< decimal
    BYTES,        //!< whole number
    MEBIBYTES,    //!< whole number
    FRACTION,     //!< decimal or A/B
    RATE,         //!< as ns-3's DataRate
    PACKETS,      //!< whole number of 1030 bytes
    DECIMAL,      //!< read and forgotten
    NAME,         //!< a word
    MAP_BYTES,    //!< n, then n times bit/s and KB of 1000 bytes
    MAP_SHARE,    //!< n, then n times bit/s and a fraction
    LINK_DOWN,    //!< us, two node ids
    MODE          //!< CC_MODE
};

/// The member of Ns3RdmaConfig that a key sets, or none. (A std::variant, if ns-3.31 had C++17.)
class Ns3RdmaMember
{
  public:
    struct None
    {
    };

    Ns3RdmaMember(None)
    {
    }

    Ns3RdmaMember(bool Ns3RdmaConfig::*m) : m_flag(m)
    {
    }

    Ns3RdmaMember(uint32_t Ns3RdmaConfig::*m) : m_u32(m)
    {
    }

    Ns3RdmaMember(uint64_t Ns3RdmaConfig::*m) : m_u64(m)
    {
    }

    Ns3RdmaMember(int64_t Ns3RdmaConfig::*m) : m_i64(m)
    {
    }

    Ns3RdmaMember(double Ns3RdmaConfig::*m) : m_real(m)
    {
    }

    Ns3RdmaMember(std::string Ns3RdmaConfig::*m) : m_text(m)
    {
    }

    Ns3RdmaMember(Ns3RdmaRateMap Ns3RdmaConfig::*m) : m_map(m)
    {
    }

    bool IsSet() const
    {
        return m_flag || m_u32 || m_u64 || m_i64 || m_real || m_text || m_map;
    }

    /// Call the visitor with the member pointer, if there is one.
    template <typename Visitor> void Visit(const Visitor& visitor) const
    {
        m_flag ? visitor(m_flag) : void();
        m_u32 ? visitor(m_u32) : void();
        m_u64 ? visitor(m_u64) : void();
        m_i64 ? visitor(m_i64) : void();
        m_real ? visitor(m_real) : void();
        m_text ? visitor(m_text) : void();
        m_map ? visitor(m_map) : void();
    }

  private:
    bool Ns3RdmaConfig::*m_flag{nullptr};
    uint32_t Ns3RdmaConfig::*m_u32{nullptr};
    uint64_t Ns3RdmaConfig::*m_u64{nullptr};
    int64_t Ns3RdmaConfig::*m_i64{nullptr};
    double Ns3RdmaConfig::*m_real{nullptr};
    std::string Ns3RdmaConfig::*m_text{nullptr};
    Ns3RdmaRateMap Ns3RdmaConfig::*m_map{nullptr};
};

/// A key of config.txt.
struct Ns3RdmaKey
{
    enum Lineage
    {
        ORIGINAL = 1,
        HPCC = 2,
        BOTH = 3
    };

    const char* name;
    Lineage lineage;
    Ns3RdmaKind kind;
    uint64_t least, most;  //!< in the unit of the file
    const char* original;  //!< the original's value if the key is missing; null: the preset's, or none
    const char* hpcc;      //!< the same in the HPCC simulator
    Ns3RdmaMember member;  //!< where it goes, or
    const char* parameter; //!< the parameter of dcqcn that it is, or neither
    const char* text;      //!< what it means; why it has no effect, if it has none

    bool HasEffect() const
    {
        return member.IsSet() || parameter || kind == Ns3RdmaKind::LINK_DOWN || kind == Ns3RdmaKind::MODE;
    }
};

const std::vector<Ns3RdmaKey>& Ns3RdmaKeys();
/// \return null if there is none
const Ns3RdmaKey* Ns3RdmaFindKey(const std::string& name);
/// What a key's value should be, for messages.
std::string Ns3RdmaExpected(const Ns3RdmaKey& key);

} // namespace ns3

#endif /* NS3_RDMA_KEYS_H */
