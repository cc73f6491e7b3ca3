// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AST -> annotations.
//
// Finds our attributes in a parsed translation unit, decides for each construct
// how it can be instrumented, and refuses what can't be done safely, with a
// diagnostic that says what to write instead.

#ifndef LOOPSCOPE_INSTRUMENT_ANNOTATIONS_H
#define LOOPSCOPE_INSTRUMENT_ANNOTATIONS_H

#include "Instrument/Attributes.h"
#include "Instrument/Parse.h"
#include "Instrument/Places.h"
#include "Instrument/RuleHints.h"

#include <set>

namespace loopscope::instrument {

/// A found annotation before files are numbered.
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
  /// Where every attribute that was understood stands (expansion places, and in
  /// macro arguments also where it is spelled):
  /// those in Annotations, refused ones, and ones that need no hook.
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

/// Says WHY the function at PLACE, which had a hook so far, has none.
void leaveOut(std::vector<launch::FunctionOutcome> &Functions,
              llvm::StringRef Place, llvm::StringRef Why);

FindResult findAnnotations(clang::ASTContext &Context, const Places &Where,
                           const FindOptions &Options);

/// The qualified name that sites carry and rules match.
std::string functionName(const clang::FunctionDecl &Function);

/// The types of FUNCTION's parameters: "(int, const Tensor &)".
std::string parameterTypes(const clang::FunctionDecl &Function);

/// What a call names, qualified where it is known, and without scope.
std::pair<std::string, std::string> calleeNames(const clang::CallExpr &Call);

/// Whether the selection or function mode may want something in FUNCTION.
bool mayBeSelected(const clang::FunctionDecl &Function,
                   const FindOptions &Options);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_ANNOTATIONS_H
