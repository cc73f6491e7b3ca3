// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overview unless rows or columns are asked for: short enough for a
// terminal of 24 lines. --rows all shows what it leaves out.

#ifndef LOOPSCOPE_REPORT_VIEWS_OVERVIEWSCREEN_H
#define LOOPSCOPE_REPORT_VIEWS_OVERVIEWSCREEN_H

#include "Analysis/Verdict/Advice.h"
#include "Analysis/Verdict/Figures.h"
#include "Report/Print/Table.h"

#include <string>
#include <vector>

namespace loopscope {

/// The device's number and, if known, its name.
std::string gpuName(const RunInfo &About, int64_t Device);

/// The sums of a run without single steps: uses of the host's time and, beside
/// them, of the GPUs'. Leaves out rows that take less than 1 %. HEAD stands
/// above them.
Table totalsScreen(const Figures &Of, std::string Head);

/// A sentence for each of up to two GPUs, or one on the range of more.
std::vector<std::string> gpuNotes(const Figures &Of);

/// The most worthwhile advice as sentences. If there are more than two
/// findings, all but the first are only named.
Table adviceScreen(const std::vector<Advice> &Findings);

/// All advice as sentences.
Table adviceList(const std::vector<Advice> &Findings);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_OVERVIEWSCREEN_H
