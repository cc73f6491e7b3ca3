// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overview unless rows or columns are asked for: short enough for a
// terminal of 24 lines. --rows all shows what it leaves out. The summary has
// parts of it.

#ifndef LOOPSCOPE_REPORT_VIEWS_OVERVIEWSCREEN_H
#define LOOPSCOPE_REPORT_VIEWS_OVERVIEWSCREEN_H

#include "Analysis/Verdict/Advice.h"
#include "Analysis/Verdict/Figures.h"
#include "Report/Print/Table.h"
#include "Report/Views/View.h"

#include <string>
#include <vector>

namespace loopscope {

/// How much of a timeline the verdict and the advice need, and which figures.
WithTimeline overviewTimeline(const ViewOptions &Options);
FigureParts overviewParts(const ViewOptions &Options);

/// The device's number and, if known, its name.
std::string gpuName(const RunInfo &About, int64_t Device);

/// The sums of a run without single steps: uses of the host's time and, beside
/// them, of the GPUs'. Leaves out rows that take less than 1 %. HEAD stands
/// above them.
Table totalsScreen(const Figures &Of, std::string Head);

/// A sentence for each of up to two GPUs, or one on the range of more, of which
/// the options \p All show all.
std::vector<std::string> gpuNotes(const Figures &Of, const char *All);

/// What stands above the tables: the largest part of the run, and the verdict
/// or why there is none. \p IsShort: no more than its first sentence.
std::string verdictHead(const Figures &Of, bool IsShort = false);

/// The sentence in place of advice, where advise() has none.
std::string whyNoAdvice(const Figures &Of);

/// The most worthwhile advice as sentences. If there are more than \p Shown
/// and one findings, the others are only named; the options \p Explained
/// explain them.
Table adviceScreen(const Figures &Of, size_t Shown, const char *Explained);

/// All advice as sentences.
Table adviceList(const Figures &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_OVERVIEWSCREEN_H
