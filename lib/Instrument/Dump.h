// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes between the stages, in plain text.
//
// For --dump: one line per item, sorted by place.

#ifndef LOOPSCOPE_INSTRUMENT_DUMP_H
#define LOOPSCOPE_INSTRUMENT_DUMP_H

#include "Instrument/Plan.h"

namespace loopscope::instrument {

/// The marks that were found and what made them, with what the stage find
/// refused. SELECT, which may be null, tells where the rules stand.
std::string dumpMarks(const ParseResult &R, const Selection *Select);

/// What will be timed, with all refusals.
std::string dumpSites(const ParseResult &R,
                      const std::vector<PlannedFile> &Plan);

/// The edits of each file by byte offset, with all refusals. The two lines in
/// front of a rewritten file are the writing's and no edits.
std::string dumpEdits(const ParseResult &R,
                      const std::vector<PlannedFile> &Plan);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_DUMP_H
