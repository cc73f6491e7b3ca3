// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches a selection's rules with the AST.

#include "Instrument/Select/Selector.h"

#include "Instrument/Text/FunctionNames.h"
#include "Instrument/Text/Loops.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

/// White space doesn't matter.
std::string squeezed(llvm::StringRef Text) {
  std::string Result;
  for (char C : Text)
    if (!isWhitespace(C))
      Result += C;
  return Result;
}

/// Whether P matches FUNCTION, by its NAME or by that and its parameters.
bool means(const Pattern &P, const FunctionDecl &Function,
           llvm::StringRef Name) {
  return P.matches(Name) ||
         (P.text().find('(') != std::string::npos &&
          P.matches((Name + parameterTypes(Function)).str()));
}

} // namespace

Mark Selector::note(size_t Index, SourceLocation Loc) {
  Place P = Where.expanded(Loc);
  Noted[static_cast<unsigned>(Index)].insert(Where.path(Loc) + ":" +
                                             std::to_string(Where.line(P)));
  const Rule &R = Select->Rules[Index];
  Mark Result;
  Result.K = R.K;
  Result.Argument = R.Name;
  Result.Loc = Loc;
  Result.Rule = static_cast<int>(Index);
  for (const QuantityInfo &I : quantities())
    Result.Amounts[I.Q].Text = R.Amounts[I.Q];
  Result.KeyLabel = R.KeyName;
  return Result;
}

std::vector<Mark> Selector::function(const FunctionDecl &Function,
                                     llvm::StringRef Name) {
  std::vector<Mark> Marks;
  // What the compiler has made, such as a copy constructor, has no text.
  if (!Select || !Function.doesThisDeclarationHaveABody() ||
      Function.isDefaulted())
    return Marks;
  for (size_t I = 0; I < Select->Rules.size(); ++I) {
    const Rule &R = Select->Rules[I];
    if (!R.Function.empty() && means(R.Function, Function, Name) &&
        R.Signature.matches(parameterTypes(Function)) &&
        R.File.matches(Where.path(Function.getLocation())))
      Marks.push_back(note(I, Function.getLocation()));
  }
  return Marks;
}

std::vector<Mark> Selector::statement(const Stmt &S,
                                      const FunctionDecl &Function,
                                      llvm::StringRef In, unsigned Ordinal) {
  std::vector<Mark> Marks;
  if (!Select)
    return Marks;
  bool MayCall = isa<Expr, DeclStmt>(S) || isMacroUse(S, Where);
  for (size_t I = 0; I < Select->Rules.size(); ++I) {
    const Rule &R = Select->Rules[I];
    if (!R.Function.empty() || !means(R.In, Function, In) ||
        !R.File.matches(Where.path(S.getBeginLoc())))
      continue;
    bool Matches = R.Call.empty()
                       ? R.Signature.matches(parameterTypes(Function)) &&
                             isTheLoop(S, R.Loop, Ordinal)
                       : MayCall && calls(&S, R);
    if (Matches)
      Marks.push_back(note(I, S.getBeginLoc()));
  }
  return Marks;
}

bool Selector::isTheLoop(const Stmt &S, llvm::StringRef Said,
                         unsigned Ordinal) const {
  if (!isNumberedLoop(S, Where))
    return false;
  unsigned Number = 0;
  if (!Said.getAsInteger(10, Number))
    return Number == Ordinal;
  return llvm::is_contained(loopNames(S), Said) ||
         squeezed(sourceText(loopCondition(S), Where)) == squeezed(Said);
}

bool Selector::calls(const Stmt *S, const Rule &R) const {
  if (!S || isa<LambdaExpr>(S))
    return false;
  // A block in a macro's argument has statements of its own.
  if (isa<CompoundStmt>(S) && Where.spelled(S->getBeginLoc()))
    return false;
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    auto [Qualified, Plain] = calleeNames(*Call);
    const FunctionDecl *Callee = Call->getDirectCallee();
    bool Named = Callee ? means(R.Call, *Callee, Qualified) ||
                              means(R.Call, *Callee, Plain)
                        : R.Call.matches(Plain);
    if (Named && (R.Signature.empty() ||
                  (Callee && R.Signature.matches(parameterTypes(*Callee)))))
      return true;
  }
  for (const Stmt *Child : S->children())
    if (calls(Child, R))
      return true;
  return false;
}

} // namespace loopscope::instrument
