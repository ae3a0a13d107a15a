/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_NUMBER_H
#define LAB_NUMBER_H

#include <string>

namespace ns3
{

/// Append a number with the bytes of printf's "%.DIGITSg", which takes ten times as long. Whole numbers have those of
/// "%.0f". \param out text \param value any \param digits significant ones, 1 to 9; 0: a whole number, half to even
void LabAppendNumber(std::string& out, double value, int digits);

} // namespace ns3

#endif /* LAB_NUMBER_H */
