/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Any experiment: a network, flows, algorithms, attributes, faults and measures, as a file has them
 * (lab/doc/testbed.md), or options of the same names. ./rcc run writes its scenarios in this form.
 */
#include "lab-front.h"

int
main(int argc, char* argv[])
{
    return ns3::LabRunExperiment(argc, argv);
}
