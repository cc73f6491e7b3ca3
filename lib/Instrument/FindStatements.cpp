//===- FindStatements.cpp - Annotated statements --------------------------===//

#include "Finder.h"
#include "Loops.h"
#include "Safety.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace loopscope::instrument {

void Finder::statement(const AttributedStmt &S) {
  const Stmt &Sub = *S.getSubStmt();
  std::vector<Mark> Marks = marksOf(S.getAttrs());
  if (Options.Select && !Scopes.empty() && !InMacroUse)
    llvm::append_range(Marks, select(Sub, 1));
  statement(Marks, S, Sub);
}

bool Finder::mayBeSelected(const Stmt &S) const {
  return Options.Select && !Scopes.empty() && !InMacroUse &&
         (isa<Expr>(S) || isNumberedLoop(S, Where) || isMacroUse(S, Where)) &&
         isStatement(S);
}

std::vector<Mark> Finder::select(const Stmt &S, unsigned Ahead) {
  const FunctionScope &In = Scopes.back();
  return Select.statement(S, *In.Decl, In.Name, In.Loops + Ahead);
}

bool Finder::isStatement(const Stmt &S) const {
  const Stmt *Parent =
      Parents.size() > Scopes.back().FirstParent ? Parents.back() : nullptr;
  if (!Parent || isa<AttributedStmt, OMPAtomicDirective>(Parent))
    return false;
  // What stands behind an OpenMP pragma.
  if (isa<CapturedStmt, OMPExecutableDirective>(Parent))
    return true;
  if (const auto *Case = dyn_cast<SwitchCase>(Parent))
    return Case->getSubStmt() == &S;
  return isa<CompoundStmt, LabelStmt>(Parent) || isWholeBody(S);
}

bool Finder::isWholeBody(const Stmt &S) const {
  const Stmt *Parent = Parents.empty() ? nullptr : Parents.back();
  if (const auto *If = dyn_cast_or_null<IfStmt>(Parent))
    return If->getThen() == &S || If->getElse() == &S;
  const Stmt *Body = nullptr;
  if (const auto *For = dyn_cast_or_null<ForStmt>(Parent))
    Body = For->getBody();
  else if (const auto *ForRange = dyn_cast_or_null<CXXForRangeStmt>(Parent))
    Body = ForRange->getBody();
  else if (const auto *While = dyn_cast_or_null<WhileStmt>(Parent))
    Body = While->getBody();
  else if (const auto *Do = dyn_cast_or_null<DoStmt>(Parent))
    Body = Do->getBody();
  return Body == &S;
}

void Finder::statement(const std::vector<Mark> &Marks, const Stmt &Node,
                       const Stmt &SubStatement) {
  if (Marks.empty())
    return;
  for (const Mark &M : Marks)
    see(M);
  if (!holdsHooks(Marks) || !oneLoopKind(Marks))
    return;
  const Stmt *Sub = &SubStatement;
  std::optional<FileRange> R = Where.statement(Sub);
  if (!R) {
    inMacro(Marks);
    return;
  }
  if (underPragma(Marks, Sub) || isValue(Marks, Node))
    return;
  if (isJumpedInto(Scopes.back().Body, Sub)) {
    jumpedInto(Marks);
    return;
  }
  for (const Mark &M : Marks) {
    Annotation A;
    A.Whole = R->Text;
    A.Parent = parentBlock(R->File);
    A.Lead = lead(Marks, R->File, R->Text.Begin);
    if (isLoopKind(M.K)) {
      if (!loop(M, Sub, R->File, A))
        continue;
    } else if (std::optional<Block> Inner = isa<CompoundStmt>(Sub)
                                                ? braces(R->File, R->Text)
                                                : std::nullopt) {
      A.F = Form::Block;
      A.Body = *Inner;
    }
    add(M, std::move(A), R->File);
  }
}

bool Finder::isValue(const std::vector<Mark> &Marks, const Stmt &S) {
  size_t N = Parents.size();
  if (N < 2)
    return false;
  const auto *Value = dyn_cast<StmtExpr>(Parents[N - 2]);
  const auto *Compound = dyn_cast<CompoundStmt>(Parents[N - 1]);
  if (!Value || !Compound || Compound->body_back() != &S ||
      Value->getType()->isVoidType())
    return false;
  for (const Mark &M : Marks)
    refuse(M, Diag::StatementValue) << info(M.K).Attribute;
  return true;
}

} // namespace loopscope::instrument
