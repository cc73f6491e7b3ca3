//===- Selector.cpp - A selection's rules against the AST -----------------===//

#include "Selector.h"

#include "Annotations.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

/// "(int, const Tensor &)".
std::string signature(const FunctionDecl &Function) {
  std::string Text = "(";
  for (const ParmVarDecl *P : Function.parameters()) {
    if (Text.size() > 1)
      Text += ", ";
    Text +=
        P->getType().getAsString(Function.getASTContext().getPrintingPolicy());
  }
  return Text + ")";
}

/// White space is no difference.
std::string squeezed(llvm::StringRef Text) {
  std::string Result;
  for (char C : Text)
    if (!isWhitespace(C))
      Result += C;
  return Result;
}

bool declares(const Stmt *S, llvm::StringRef Name) {
  const auto *Declaration = dyn_cast_or_null<DeclStmt>(S);
  if (!Declaration)
    return false;
  for (const Decl *D : Declaration->decls()) {
    const auto *Named = dyn_cast<NamedDecl>(D);
    if (Named && Named->getIdentifier() && Named->getName() == Name)
      return true;
    if (const auto *Parts = dyn_cast<DecompositionDecl>(D))
      for (const BindingDecl *B : Parts->bindings())
        if (B->getName() == Name)
          return true;
  }
  return false;
}

/// `i = 0` as a loop's start.
bool assigns(const Stmt *S, llvm::StringRef Name) {
  const auto *Assignment = dyn_cast_or_null<BinaryOperator>(S);
  if (!Assignment || !Assignment->isAssignmentOp())
    return false;
  const auto *Variable =
      dyn_cast<DeclRefExpr>(Assignment->getLHS()->IgnoreParens());
  return Variable && Variable->getDecl()->getIdentifier() &&
         Variable->getDecl()->getName() == Name;
}

} // namespace

Mark Selector::note(size_t Index, SourceLocation Loc) {
  Place P = Where.expanded(Loc);
  Noted[static_cast<unsigned>(Index)].insert(Where.path(Loc) + ":" +
                                             std::to_string(Where.line(P)));
  const Rule &R = Select->Rules[Index];
  return {R.K, isStepKind(R.K) ? R.Samples : R.Name, Loc, false};
}

std::vector<Mark> Selector::function(const FunctionDecl &Function,
                                     llvm::StringRef Name) {
  std::vector<Mark> Marks;
  if (!Select || !Function.doesThisDeclarationHaveABody())
    return Marks;
  for (size_t I = 0; I < Select->Rules.size(); ++I) {
    const Rule &R = Select->Rules[I];
    if (!R.Function.empty() && R.Function.matches(Name) &&
        R.Signature.matches(signature(Function)) &&
        R.File.matches(Where.path(Function.getLocation())))
      Marks.push_back(note(I, Function.getLocation()));
  }
  return Marks;
}

std::vector<Mark> Selector::statement(const Stmt &S, llvm::StringRef In,
                                      unsigned Ordinal) {
  std::vector<Mark> Marks;
  if (!Select)
    return Marks;
  for (size_t I = 0; I < Select->Rules.size(); ++I) {
    const Rule &R = Select->Rules[I];
    if (!R.Function.empty() || !R.In.matches(In) ||
        !R.File.matches(Where.path(S.getBeginLoc())))
      continue;
    bool Matches = R.Call.empty() ? isLoop(S, R.Loop, Ordinal)
                                  : isa<Expr, DeclStmt>(S) && calls(&S, R.Call);
    if (Matches)
      Marks.push_back(note(I, S.getBeginLoc()));
  }
  return Marks;
}

bool Selector::isLoop(const Stmt &S, llvm::StringRef Said,
                      unsigned Ordinal) const {
  if (!isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S))
    return false;
  unsigned Number = 0;
  if (!Said.getAsInteger(10, Number))
    return Number == Ordinal;
  if (const auto *For = dyn_cast<ForStmt>(&S))
    return declares(For->getInit(), Said) || assigns(For->getInit(), Said) ||
           text(For->getCond()) == squeezed(Said);
  if (const auto *ForRange = dyn_cast<CXXForRangeStmt>(&S))
    return declares(ForRange->getLoopVarStmt(), Said) ||
           text(ForRange->getRangeInit()) == squeezed(Said);
  if (const auto *While = dyn_cast<WhileStmt>(&S))
    return declares(While->getConditionVariableDeclStmt(), Said) ||
           text(While->getCond()) == squeezed(Said);
  return text(cast<DoStmt>(S).getCond()) == squeezed(Said);
}

bool Selector::calls(const Stmt *S, const Pattern &Callee) const {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    auto [Qualified, Plain] = calleeNames(*Call);
    if (Callee.matches(Qualified) || Callee.matches(Plain))
      return true;
  }
  for (const Stmt *Child : S->children())
    if (calls(Child, Callee))
      return true;
  return false;
}

std::string Selector::text(const Stmt *S) const {
  std::optional<FileRange> R =
      S ? Where.tokens(S->getBeginLoc(), S->getEndLoc()) : std::nullopt;
  return R ? squeezed(Where.text(R->File).slice(R->Text.Begin, R->Text.End))
           : std::string();
}

} // namespace loopscope::instrument
