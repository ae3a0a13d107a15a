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
    STOP,         //!< decimal of any size: what cannot be simulated is until the flows are done
    BYTES,        //!< whole number
    MEBIBYTES,    //!< whole number
    FRACTION,     //!< decimal or A/B
    RATE,         //!< as ns-3's DataRate
    PACKETS,      //!< whole number of 1030 bytes
    DECIMAL,      //!< decimal, in 1e-9
    NAME,         //!< a word
    MAP_BYTES,    //!< n, then n times bit/s and KB of 1000 bytes
    MAP_SHARE,    //!< n, then n times bit/s and a fraction
    LINK_DOWN,    //!< us, two node ids
    SCHEDULE,     //!< node id, n, then n times s and a fraction
    MODE          //!< CC_MODE
};

/// The value of a key in our units; which members are set depends on its kind.
struct Ns3RdmaValue
{
    int64_t number{0};  //!< bytes, ns, bit/s, ppb or a count
    uint32_t a{0};      //!< first node id of LINK_DOWN; that of a key of one node
    uint32_t b{0};      //!< and the second
    std::string text;   //!< of a NAME
    Ns3RdmaRateMap map; //!< of a MAP; of a number one entry for all rates; of a SCHEDULE ns and ppb
};

/// A key of config.txt.
struct Ns3RdmaKey
{
    static const int64_t PACKET = 1030; //!< bytes of the original's packets, for KMIN and KMAX

    /// Puts a value into the configuration.
    using Setter = void (*)(Ns3RdmaConfig&, const Ns3RdmaValue&);

    /**
     * \param name as in config.txt
     * \param original value of the original simulator if the key is missing, see `original`
     * \param hpcc value of the HPCC simulator if the key is missing, see `hpcc`
     * \param kind how its value is written
     * \param set puts the value into the configuration; null: none does
     * \param parameter the parameter of dcqcn that it is, or null
     * \param text what it means; why it has no effect, if it has none
     * \param from least value, in the unit of the file; 0: that of the kind
     * \param to largest value, in the unit of the file; 0: that of the kind
     */
    Ns3RdmaKey(const char* name, const char* original, const char* hpcc, Ns3RdmaKind kind, Setter set,
               const char* parameter, const char* text, uint64_t from = 0, uint64_t to = 0);

    const char* name;      //!< as in config.txt
    const char* original;  //!< the original's value if the key is missing; empty: none; null: it has no such key
    const char* hpcc;      //!< the same of the HPCC simulator
    Ns3RdmaKind kind;      //!< how its value is written
    Setter set;            //!< puts the value into the configuration; null: none does
    const char* parameter; //!< the parameter of dcqcn that it is, or null
    const char* text;      //!< what it means; why it has no effect, if it has none
    bool ofNode;           //!< a node id is before the value: another one for each node
    bool control;          //!< it is a parameter of the algorithm of another CC_MODE than 1, see Ns3RdmaParameterOf
    uint64_t least;        //!< value, in the unit of the file
    uint64_t most;         //!< value, in the unit of the file

    /// \param dialect a simulator \return its value if the key is missing; empty: none; null: it has no such key
    const char* GetDefault(Ns3RdmaDialect dialect) const
    {
        return dialect == Ns3RdmaDialect::ORIGINAL ? original : hpcc;
    }

    /// \return whether the key does anything here
    bool HasEffect() const
    {
        return set || parameter || control;
    }

    /// \return what the value should be, for messages
    std::string GetExpected() const;

    /**
     * Read a value.
     * \param given words after the key: three of LINK_DOWN, 1 + 2n of a map, else one; before them the node, if ofNode
     * \param[out] value in our units
     * \param[out] found the word that is wrong
     * \return whether all of it is as GetExpected says
     */
    bool Read(const std::vector<std::string>& given, Ns3RdmaValue* value, std::string* found) const;
};

/// \return all keys, in the order of lab/doc/ns3-rdma-keys.md.
const std::vector<Ns3RdmaKey>& Ns3RdmaKeys();
/**
 * \param mode CC_MODE
 * \param key name of a key
 * \return the parameter of the mode's algorithm that the key is; null if it is none, or for DCQCN and TIMELY
 */
const char* Ns3RdmaParameterOf(uint32_t mode, const std::string& key);
/// \param name of a key \return the key; null if there is no such one
const Ns3RdmaKey* Ns3RdmaFindKey(const std::string& name);
/// \param name of a key that is none of these \return what it is in the fork that has it; null if no known one has
const char* Ns3RdmaForkKey(const std::string& name);

} // namespace ns3

#endif /* NS3_RDMA_KEYS_H */
