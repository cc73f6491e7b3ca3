// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a parse found -> the edits of each file.
//
// The third of the stages find, refuse, plan and write: values in, values out.
// Edits.h makes the edits of the hooks; here the includes of a mirror join
// them.

#ifndef LOOPSCOPE_INSTRUMENT_PLAN_H
#define LOOPSCOPE_INSTRUMENT_PLAN_H

#include "Instrument/Edits.h"
#include "Instrument/Parse.h"

namespace loopscope::instrument {

/// What is to be done with a file of the unit.
struct PlannedFile {
  const SourceFile *Source = nullptr; ///< Of the ParseResult.
  std::vector<Site> Sites;
  std::vector<Edit> Edits; ///< Sorted by place.
  std::vector<IncludeEdit> IncludeEdits;
  bool Changes = false; ///< Else its text stays as it is, to the byte.
};

/// Where the mirror in the folder ROOT, an absolute path, has the file
/// ORIGINAL.
std::string mirroredPath(llvm::StringRef Root, llvm::StringRef Original);

/// Plans every file of R, in R's order. MIRRORROOT is "" where headers stay
/// where they are.
std::vector<PlannedFile> planFiles(const ParseResult &R,
                                   llvm::StringRef MirrorRoot);

/// The text of the rewritten file.
std::string rewrittenText(const PlannedFile &File);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PLAN_H
