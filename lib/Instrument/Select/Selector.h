// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches a selection's rules with the AST.

#ifndef LOOPSCOPE_INSTRUMENT_SELECT_SELECTOR_H
#define LOOPSCOPE_INSTRUMENT_SELECT_SELECTOR_H

#include "Instrument/Select/Selection.h"
#include "Instrument/Text/Attributes.h"
#include "Instrument/Text/Places.h"

#include <set>

namespace loopscope::instrument {

/// Finds the rules that match a construct, and records where they did.
class Selector {
public:
  using Matches = std::map<unsigned, std::set<std::string>>;

  /// \p Select may be null; then nothing matches.
  Selector(const clang::ASTContext &Context, const Places &Where,
           const Selection *Select, Matches &Noted)
      : Context(Context), Where(Where), Select(Select), Noted(Noted) {}

  /// The marks for the definition of a function called \p Name.
  std::vector<Mark> function(const clang::FunctionDecl &Function,
                             llvm::StringRef Name);
  /// The marks for a loop, the \p Ordinal-th of \p Function, whose name is \p
  /// In, or for an expression or declaration statement in it, or for a macro
  /// use that is a statement.
  std::vector<Mark> statement(const clang::Stmt &S,
                              const clang::FunctionDecl &Function,
                              llvm::StringRef In, unsigned Ordinal);

private:
  bool isTheLoop(const clang::Stmt &S, llvm::StringRef Said,
                 unsigned Ordinal) const;
  bool calls(const clang::Stmt *S, const Rule &R) const;
  Mark note(size_t Index, clang::SourceLocation Loc);

  const clang::ASTContext &Context;
  const Places &Where;
  const Selection *Select;
  Matches &Noted;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SELECT_SELECTOR_H
