// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the loops view and the page say of a program that was only sampled.

#ifndef LOOPSCOPE_REPORT_VIEWS_LOOPS_H
#define LOOPSCOPE_REPORT_VIEWS_LOOPS_H

#include "Analysis/Samples/SampledProgram.h"
#include "Report/Print/Table.h"

#include <string>
#include <vector>

namespace loopscope {

/// What a part of a loop is called.
std::string partName(const LoopPart &Of);

/// A table for each candidate in \p Of, the samples of \p R, then the hottest
/// functions, with notes on all. \p ForPrograms: with the columns that people
/// see only if they have figures.
std::vector<Table> loopTables(const Run &R, const SampledProgram &Of,
                              bool ForPrograms);

/// "Sampled, not measured: 338 samples of 1.34 s of CPU time in 1 thread."
std::string samplesLine(const Run &R, const SampledProgram &Of);

/// The command with which the calls of the likeliest loop can be measured;
/// empty: no lines of a loop are known, or R is merged of files that it doesn't
/// name.
std::string measureLine(const Run &R, const SampledProgram &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_LOOPS_H
