// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the findings of a parse to the edits of each file.
//
// The third of the stages find, refuse, plan and write: values in, values out.
// Edits.h creates the edits for hooks; this file adds those for a mirror's
// includes.

#ifndef LOOPSCOPE_INSTRUMENT_WRITE_PLAN_H
#define LOOPSCOPE_INSTRUMENT_WRITE_PLAN_H

#include "Instrument/Model/ParseResult.h"
#include "Instrument/Write/Edits.h"

namespace loopscope::instrument {

/// What to do with a file of the unit.
struct PlannedFile {
  const SourceFile *Source = nullptr; ///< Of the ParseResult.
  std::vector<Site> Sites;
  std::vector<Edit> Edits; ///< Sorted by place.
  std::vector<IncludeEdit> IncludeEdits;
  bool Changes = false; ///< Else its text stays as it is, to the byte.
};

/// The path of \p Original in the mirror \p Root, an absolute path.
std::string mirroredPath(llvm::StringRef Root, llvm::StringRef Original);

/// Plans every file of \p R, in the same order. \p MirrorRoot is "" if headers
/// stay where they are.
std::vector<PlannedFile> planFiles(const ParseResult &R,
                                   llvm::StringRef MirrorRoot);

/// The text of the rewritten file.
std::string rewrittenText(const PlannedFile &File);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_WRITE_PLAN_H
