// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what passes between the stages, as plain text.
//
// For --dump: one line per item, sorted by place.

#ifndef LOOPSCOPE_INSTRUMENT_WRITE_DUMP_H
#define LOOPSCOPE_INSTRUMENT_WRITE_DUMP_H

#include "Instrument/Select/Selection.h"
#include "Instrument/Write/Plan.h"

namespace loopscope::instrument {

/// The marks that were found and where they come from, with the refusals of the
/// find stage. \p Select, which may be null, knows the places of the rules.
std::string dumpMarks(const ParseResult &R, const Selection *Select);

/// What will be timed, with all refusals.
std::string dumpSites(const ParseResult &R,
                      const std::vector<PlannedFile> &Plan);

/// The edits of each file by byte offset, with all refusals. The two lines that
/// the writer adds at the top of a file don't count as edits.
std::string dumpEdits(const ParseResult &R,
                      const std::vector<PlannedFile> &Plan);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_WRITE_DUMP_H
