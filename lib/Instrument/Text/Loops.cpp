// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How rules name loops.

#include "Instrument/Text/Loops.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

using Names = std::vector<std::string>;

void add(Names &All, const NamedDecl &D) {
  if (D.getIdentifier() && !llvm::is_contained(All, D.getName()))
    All.push_back(D.getName().str());
}

void addDeclared(Names &All, const Stmt *S) {
  const auto *Declaration = dyn_cast_or_null<DeclStmt>(S);
  if (!Declaration)
    return;
  for (const Decl *D : Declaration->decls()) {
    if (const auto *Parts = dyn_cast<DecompositionDecl>(D))
      for (const BindingDecl *B : Parts->bindings())
        add(All, *B);
    else if (const auto *Variable = dyn_cast<VarDecl>(D))
      add(All, *Variable);
  }
}

void addNamed(Names &All, const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    add(All, *Reference->getDecl());
  else if (const auto *Member = dyn_cast<MemberExpr>(E))
    add(All, *Member->getMemberDecl());
}

/// Adds what S assigns or steps: `i = 0, j = 1`, `++i`.
void addModified(Names &All, const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (!E)
    return;
  E = E->IgnoreParenImpCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Comma) {
      addModified(All, Binary->getLHS());
      addModified(All, Binary->getRHS());
    } else if (Binary->isAssignmentOp()) {
      addNamed(All, Binary->getLHS());
    }
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->isIncrementDecrementOp())
      addNamed(All, Unary->getSubExpr());
  } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    if (Operator->getNumArgs() != 0)
      addNamed(All, Operator->getArg(0));
  }
}

/// Adds every variable, member and function that S names.
void addAll(Names &All, const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    if (!isa<ImplicitCastExpr, ParenExpr>(S))
      addNamed(All, E);
  for (const Stmt *Child : S->children())
    addAll(All, Child);
}

} // namespace

bool isLoop(const Stmt &S) {
  return isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S);
}

bool isNumberedLoop(const Stmt &S, const Places &Where) {
  return isLoop(S) && (Where.spelled(S.getBeginLoc()) ||
                       Where.spelled(loopBody(S)->getEndLoc()));
}

bool isMacroUse(const Stmt &S, const Places &Where) {
  return S.getBeginLoc().isMacroID() && S.getEndLoc().isMacroID() &&
         !Where.spelled(S.getBeginLoc()) && !Where.spelled(S.getEndLoc()) &&
         Where.statement(&S).has_value();
}

bool isWholeBodyOf(const Stmt &Parent, const Stmt &S) {
  if (const auto *If = dyn_cast<IfStmt>(&Parent))
    return If->getThen() == &S || If->getElse() == &S;
  return isLoop(Parent) && loopBody(Parent) == &S;
}

bool isStatementIn(const Stmt &Parent, const Stmt &S) {
  if (isa<AttributedStmt, OMPAtomicDirective>(Parent))
    return false;
  if (const auto *Case = dyn_cast<SwitchCase>(&Parent))
    return Case->getSubStmt() == &S;
  // A statement after an OpenMP pragma counts, too.
  return isa<CompoundStmt, LabelStmt, CapturedStmt, OMPExecutableDirective>(
             Parent) ||
         isWholeBodyOf(Parent, S);
}

std::vector<std::string> loopNames(const Stmt &Loop) {
  Names All;
  if (const auto *ForRange = dyn_cast<CXXForRangeStmt>(&Loop)) {
    addDeclared(All, ForRange->getLoopVarStmt());
    return All;
  }
  if (const auto *For = dyn_cast<ForStmt>(&Loop)) {
    addDeclared(All, For->getInit());
    addModified(All, For->getInit());
    addModified(All, For->getInc());
    addDeclared(All, For->getConditionVariableDeclStmt());
  } else if (const auto *While = dyn_cast<WhileStmt>(&Loop)) {
    addDeclared(All, While->getConditionVariableDeclStmt());
  }
  if (All.empty())
    addAll(All, loopCondition(Loop));
  return All;
}

const Expr *loopCondition(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getCond();
  if (const auto *ForRange = dyn_cast<CXXForRangeStmt>(&Loop))
    return ForRange->getRangeInit();
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(&Loop))
    return Do->getCond();
  return nullptr;
}

const Stmt *loopBody(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getBody();
  if (const auto *ForRange = dyn_cast<CXXForRangeStmt>(&Loop))
    return ForRange->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getBody();
  return cast<DoStmt>(Loop).getBody();
}

std::string sourceText(const Stmt *S, const Places &Where) {
  std::optional<FileRange> R =
      S ? Where.tokens(S->getBeginLoc(), S->getEndLoc()) : std::nullopt;
  return R ? Where.text(R->File).slice(R->Text.Begin, R->Text.End).str()
           : std::string();
}

} // namespace loopscope::instrument
