// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotated declarations.

#include "Instrument/Find/Finder.h"
#include "Instrument/Text/Safety.h"

using namespace clang;

namespace loopscope::instrument {

void Finder::declaration(const DeclStmt &S) {
  std::vector<Mark> Marks;
  for (const Decl *D : S.decls())
    if (isa<VarDecl>(D))
      for (const Mark &M : marksOf({D->attrs().begin(), D->attrs().end()}))
        if (llvm::none_of(
                Marks, [&](const Mark &Other) { return Other.Loc == M.Loc; }))
          Marks.push_back(M);
  if (Options.Select && !Scopes.empty() && !InMacroUse)
    llvm::append_range(Marks, select(S, 0));
  if (Marks.empty())
    return;
  for (const Mark &M : Marks)
    see(M, S.getStmtClassName());
  joinBeside(Marks);
  refuseLaterNames(Marks, S);
  if (Marks.empty() || !holdsHooks(Marks))
    return;
  auto [Compound, Child] = blockAround(S);
  if (!Compound && !isWholeBody(S)) {
    refuseAll(Marks, Diag::DeclarationInHead);
    return;
  }
  std::optional<FileRange> R = Where.statement(&S);
  if (!R) {
    inMacro(Marks);
    return;
  }
  if (isMadeText(Marks, *R))
    return;
  Annotation A;
  A.AnnotationBegin = annotationBegin(Marks, R->File, R->Text.Begin);
  A.Whole = {behindOurs(R->File, A.AnnotationBegin), R->Text.End};
  A.Parent = parentBlock(R->File);
  // The timer is beside the declaration, never around its initialiser: that
  // must remain a full-expression, or temporaries end early.
  if (Compound) {
    A.F = Form::Pair;
    if (isTimerCrossed(Marks, *Compound, Child))
      return;
  }
  for (const Mark &M : Marks)
    add(M, A, R->File);
}

std::pair<const CompoundStmt *, const Stmt *>
Finder::blockAround(const Stmt &S) const {
  const Stmt *Child = &S;
  size_t Above = Parents.size();
  while (Above != 0 && isa<LabelStmt, SwitchCase>(Parents[Above - 1]))
    Child = Parents[--Above];
  return {Above == 0 ? nullptr : dyn_cast<CompoundStmt>(Parents[Above - 1]),
          Child};
}

bool Finder::isTimerCrossed(const std::vector<Mark> &Marks,
                            const CompoundStmt &Block, const Stmt *Child) {
  std::vector<const Stmt *> Behind(std::next(llvm::find(Block.body(), Child)),
                                   Block.body_end());
  if (!isJumpedInto(Scopes.back().Body, Behind))
    return leftBehind(Marks, Behind);
  jumpedInto(Marks);
  return true;
}

} // namespace loopscope::instrument
