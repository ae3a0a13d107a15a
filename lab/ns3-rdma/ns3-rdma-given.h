/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_GIVEN_H
#define NS3_RDMA_GIVEN_H

#include "ns3-rdma-files.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/// A key that a config.txt gives.
struct Ns3RdmaGiven
{
    std::vector<std::string> words; //!< its values
    uint32_t line{0};               //!< of the key
};

/// Keys by their names; a key of one node is "NAME NODE".
using Ns3RdmaGivenKeys = std::map<std::string, Ns3RdmaGiven>;

/// \param given keys \param name of a key \return whether it is there, of one node or of all
bool Ns3RdmaGives(const Ns3RdmaGivenKeys& given, const std::string& name);

/**
 * The dialect of which more keys are present; of a tie HPCC.
 * \param given keys
 * \param[out] original those of the original only
 * \param[out] hpcc those of the HPCC simulator only
 * \return the dialect
 */
Ns3RdmaDialect Ns3RdmaDialectOf(const Ns3RdmaGivenKeys& given, std::vector<std::string>* original,
                                std::vector<std::string>* hpcc);

/**
 * Split config.txt, which is a stream of words in both simulators, into keys and their values.
 * \param path of the file
 * \param dialect null: that of the keys; what an unknown key may be meant to be is a key of it
 * \param[out] warnings gets what is ignored, unknown keys first
 * \param[out] notes gets what is ignored because it is meant to be
 * \return the keys; throws LabFileError if a value is missing or the file cannot be read
 */
Ns3RdmaGivenKeys Ns3RdmaReadKeys(const std::string& path, const Ns3RdmaDialect* dialect,
                                 std::vector<std::string>* warnings, std::vector<std::string>* notes);

} // namespace ns3

#endif /* NS3_RDMA_GIVEN_H */
