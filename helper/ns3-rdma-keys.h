/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef NS3_RDMA_KEYS_H
#define NS3_RDMA_KEYS_H

#include "ns3-rdma-files.h"

#include <cstdint>
#include <string>
#include <variant>
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

/// A key of config.txt.
struct Ns3RdmaKey
{
    enum Lineage
    {
        ORIGINAL = 1,
        HPCC = 2,
        BOTH = 3
    };

    using Member = std::variant<std::monostate, bool Ns3RdmaConfig::*, uint32_t Ns3RdmaConfig::*,
                                uint64_t Ns3RdmaConfig::*, int64_t Ns3RdmaConfig::*, double Ns3RdmaConfig::*,
                                std::string Ns3RdmaConfig::*, Ns3RdmaRateMap Ns3RdmaConfig::*>;

    const char* name;
    Lineage lineage;
    Ns3RdmaKind kind;
    uint64_t least, most;  //!< in the unit of the file
    const char* original;  //!< the original's value if the key is missing; null: the preset's, or none
    const char* hpcc;      //!< the same in the HPCC simulator
    Member member;         //!< where it goes, or
    const char* parameter; //!< the parameter of dcqcn that it is, or neither
    const char* text;      //!< what it means; why it has no effect, if it has none

    bool HasEffect() const
    {
        return member.index() != 0 || parameter || kind == Ns3RdmaKind::LINK_DOWN || kind == Ns3RdmaKind::MODE;
    }
};

const std::vector<Ns3RdmaKey>& Ns3RdmaKeys();
/// \return null if there is none
const Ns3RdmaKey* Ns3RdmaFindKey(const std::string& name);
/// What a key's value should be, for messages.
std::string Ns3RdmaExpected(const Ns3RdmaKey& key);

} // namespace ns3

#endif /* NS3_RDMA_KEYS_H */
