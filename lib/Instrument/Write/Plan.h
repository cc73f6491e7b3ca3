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
  std::string Mirrored;               ///< Its path in the mirror; "": none.
  std::vector<Site> Sites;
  std::vector<Edit> Edits; ///< Sorted by place.
  std::vector<IncludeEdit> IncludeEdits;
  bool Changes = false;    ///< Else its text stays as it is, to the byte.
  bool KeepsLines = false; ///< See MirrorLayout.
};

/// Where rewritten files stand. All paths are absolute, without links.
struct MirrorLayout {
  std::string Root; ///< "": there is no mirror, and headers stay in place.
  /// "": a file is ROOT/its absolute path, and includes name absolute paths.
  /// Otherwise the directory of the compile: a file that a plain compile knows
  /// by a relative name is ROOT/loopscope-N/REST, where N is the number of `..`
  /// that lead from there to REST. Includes name what is in the mirror by its
  /// path in ROOT, which the compiler has to search last (-iquote), and other
  /// files by a path that starts at the including file. So the same sources in
  /// another directory become the same text.
  std::string RelativeTo;
  /// Nothing precedes the text, so the lines of the file keep their numbers,
  /// but not its name: it has to be compiled with -include loopscope/hooks.h.
  bool KeepsLines = false;
};

/// The path of \p File in the mirror.
std::string mirroredPath(const MirrorLayout &Layout, const SourceFile &File);

/// Plans every file of \p R, in the same order.
std::vector<PlannedFile> planFiles(const ParseResult &R,
                                   const MirrorLayout &Layout);

/// The text of the rewritten file.
std::string rewrittenText(const PlannedFile &File);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_WRITE_PLAN_H
