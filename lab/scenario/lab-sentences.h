/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_SENTENCES_H
#define LAB_SENTENCES_H

#include "lab-words.h"

#include <string>

namespace ns3
{

/// \param words of a run \param warning of it \return a sentence for people, for programs that read options
std::string LabSentenceOf(const LabWords& words, const RunWarning& warning);

} // namespace ns3

#endif /* LAB_SENTENCES_H */
