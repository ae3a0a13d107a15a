/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_NUMBER_H
#define LAB_NUMBER_H

#include <cstdint>
#include <string>

namespace ns3
{

/// Append a number with the bytes of printf's "%.DIGITSg", which takes ten times as long. Whole numbers have those of
/// "%.0f". \param out text \param value any \param digits significant ones, 1 to 9; 0: a whole number, half to even
void LabAppendNumber(std::string& out, double value, int digits);

/// \param ns a time \return it exactly, for people: "821.9us" where RccFormat has 821900ns; as there up to four digits
std::string LabShownTime(int64_t ns);

} // namespace ns3

#endif /* LAB_NUMBER_H */
