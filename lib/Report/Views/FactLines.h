// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of runs, in words and as data.

#ifndef LOOPSCOPE_REPORT_VIEWS_FACTLINES_H
#define LOOPSCOPE_REPORT_VIEWS_FACTLINES_H

#include "Report/Print/Section.h"
#include "Report/Print/Table.h"
#include "Run/Model/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// A fact's value as text shows it; a commit is cut as git does it.
std::string shownFact(const std::string &Name, const FactValue &Value);

/// "Facts: batch 64, optimizer adam.", with at most a dozen of them; empty if
/// there are none.
std::string factsLine(const RunInfo &Of);

/// The facts in which processes differ: "Facts differ: batch 64 (rank 0), 32
/// (rank 1)."; empty if there are none.
std::string differingFactsLine(const std::vector<RunFact> &Facts);

/// The facts as an object of json, "facts".
void describeFacts(const RunInfo &Of, Section &S);

/// A row for each fact, for csv.
Table factsTable(const RunInfo &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_FACTLINES_H
