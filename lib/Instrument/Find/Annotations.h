// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AST -> annotations.
//
// Finds our attributes in a parsed translation unit, decides for each construct
// how to instrument it, and refuses what can't be done safely, with a
// diagnostic that says what to write instead.

#ifndef LOOPSCOPE_INSTRUMENT_FIND_ANNOTATIONS_H
#define LOOPSCOPE_INSTRUMENT_FIND_ANNOTATIONS_H

#include "Instrument/Find/FindOptions.h"
#include "Instrument/Model/ParseResult.h"
#include "Instrument/Select/RuleHints.h"
#include "Instrument/Text/Attributes.h"
#include "Instrument/Text/FunctionNames.h"
#include "Instrument/Text/Places.h"

#include <set>

namespace loopscope::instrument {

/// An annotation before files are numbered.
struct Found {
  Annotation A;
  clang::FileID File;
  /// Where the attribute is expanded, to match it with the scan of the text.
  Place Attribute;
  /// Raw attributes are blanked; this is where they are spelled.
  std::optional<Place> Raw;
  std::vector<Place> BesideRaw; ///< The same of attributes beside it.
  Range FunctionText;           ///< Of the enclosing function, in File.
  const clang::FunctionDecl *Function = nullptr; ///< Innermost.
  clang::SourceLocation Loc;
  int Rule = -1; ///< See Mark.
};

struct FindResult {
  std::vector<FoundMark> Marks;
  std::vector<Found> Annotations;
  /// The positions of all attributes that were understood (where they are
  /// expanded and, in macro arguments, also where they are spelled): those in
  /// Annotations, refused ones, and ones that need no hook.
  std::set<std::pair<clang::FileID, unsigned>> Seen;
  /// Attributes that need no hook but must not reach the compiler: `ignore`,
  /// and those on prototypes.
  std::vector<Place> Silent;
  unsigned Refused = 0;
  /// "file:line" of what each rule of the selection matched.
  std::map<unsigned, std::set<std::string>> Matches;
  std::set<unsigned> RefusedRules;   ///< Of those, which match what can't be.
  std::vector<SeenFunction> Project; ///< With a selection.
  std::vector<launch::FunctionOutcome> Functions; ///< Of function mode.
};

/// Records why the function at \p Place, which had a hook so far, has none.
void leaveOut(std::vector<launch::FunctionOutcome> &Functions,
              llvm::StringRef Place, llvm::StringRef Why);

FindResult findAnnotations(clang::ASTContext &Context, const Places &Where,
                           const FindOptions &Options);

/// Whether the selection or function mode may want something in \p Function.
bool mayBeSelected(const clang::FunctionDecl &Function,
                   const FindOptions &Options);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FIND_ANNOTATIONS_H
