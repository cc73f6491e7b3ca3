// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotated statements.

#include "Instrument/Find/Finder.h"
#include "Instrument/Text/Loops.h"
#include "Instrument/Text/Safety.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

/// Whether S, a C expression, contains a compound literal outside of nested
/// blocks.
bool makesObject(const Stmt *S) {
  if (!S || isa<StmtExpr>(S))
    return false;
  return isa<CompoundLiteralExpr>(S) ||
         llvm::any_of(S->children(), makesObject);
}

} // namespace

/// Attributes that aren't ours.
static std::vector<const Attr *> foreignOf(const AttributedStmt &S) {
  std::vector<const Attr *> Foreign;
  for (const Attr *Each : S.getAttrs())
    if (!readMark(*Each) && !Each->isImplicit())
      Foreign.push_back(Each);
  return Foreign;
}

/// Whether other attributes apply to the statement itself, and would apply to a
/// block around it instead.
static bool bindsToStatement(const std::vector<const Attr *> &Foreign) {
  return llvm::any_of(Foreign, [](const Attr *Each) {
    return !isa<LikelyAttr, UnlikelyAttr>(Each);
  });
}

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
  return Parent && isStatementIn(*Parent, S);
}

bool Finder::isWholeBody(const Stmt &S) const {
  return !Parents.empty() && isWholeBodyOf(*Parents.back(), S);
}

bool Finder::isPartedFromLabel(std::vector<Mark> &Marks, const Stmt &Code) {
  bool IsNamed = false;
  for (size_t Above = Parents.size();
       Above > Scopes.back().FirstParent && isa<LabelStmt>(Parents[Above - 1]);
       --Above)
    IsNamed |= isNamed(cast<LabelStmt>(Parents[Above - 1])->getDecl(), &Code);
  if (!IsNamed)
    return false;
  std::vector<Mark> Kept, Parted;
  for (Mark &M : Marks)
    (M.K == Kind::Epoch ? Kept : Parted).push_back(std::move(M));
  refuseAll(Parted, Diag::NamedLoop);
  Marks = std::move(Kept);
  return Marks.empty();
}

void Finder::statement(std::vector<Mark> Marks, const Stmt &Node,
                       const Stmt &SubStatement) {
  if (Marks.empty())
    return;
  for (const Mark &M : Marks)
    see(M, SubStatement.getStmtClassName());
  joinBeside(Marks);
  refuseLaterNames(Marks, SubStatement);
  if (Marks.empty() || !holdsHooks(Marks) || !oneLoopKind(Marks))
    return;
  const Stmt *Sub = &SubStatement;
  std::optional<FileRange> R = Where.statement(Sub);
  if (!R) {
    refuseAll(Marks,
              Where.lacksSemicolon(Sub) ? Diag::NoSemicolon : Diag::InMacro);
    return;
  }
  if (isMadeText(Marks, *R) || underPragma(Marks, Node, Sub) ||
      inDirective(Marks, Sub) || isValue(Marks, Node) ||
      leftBehind(Marks, &Node))
    return;
  if (isJumpedInto(Scopes.back().Body, Sub)) {
    jumpedInto(Marks);
    return;
  }
  if (isPartedFromLabel(Marks, *Sub))
    return;
  const auto *Compound = dyn_cast<CompoundStmt>(Sub);
  if (const auto *Attributed = dyn_cast<AttributedStmt>(&Node)) {
    std::vector<const Attr *> Foreign = foreignOf(*Attributed);
    // Compilers warn about an empty body, but not about a block.
    if (isa<NullStmt>(Sub) && (!Foreign.empty() || isWholeBody(Node))) {
      refuseAll(Marks, Diag::EmptyStatement);
      return;
    }
    if (bindsToStatement(Foreign)) {
      std::optional<Place> First = Where.spelled(Attributed->getBeginLoc());
      if (!First || First->File != R->File || First->Offset > R->Text.Begin) {
        inMacro(Marks);
        return;
      }
      R->Text.Begin = behindOurs(R->File, First->Offset);
      Compound = nullptr;
    }
  }
  // No braces around something that creates an object which lives as long as
  // the block.
  const auto [Outer, Child] = blockAround(Node);
  bool Pair = Outer && isa<Expr>(Sub) && !Context.getLangOpts().CPlusPlus &&
              makesObject(Sub);
  // Nor can a declaration follow a label.
  if (Pair && Child != &Node) {
    jumpedInto(Marks);
    return;
  }
  if (Pair && isTimerCrossed(Marks, *Outer, Child))
    return;
  for (const Mark &M : Marks) {
    Annotation A;
    A.Whole = R->Text;
    if (Pair)
      A.F = Form::Pair;
    A.Parent = parentBlock(R->File);
    A.AnnotationBegin = annotationBegin(Marks, R->File, R->Text.Begin);
    if (isLoopKind(M.K)) {
      if (!loop(M, Sub, R->File, A))
        continue;
    } else if (std::optional<Block> Inner =
                   Compound && !Where.hasFixedStart(*Compound)
                       ? braces(R->File, R->Text)
                       : std::nullopt) {
      A.F = Form::Block;
      A.Body = *Inner;
    }
    add(M, std::move(A), R->File, isLoopKind(M.K) ? Sub : nullptr);
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
  refuseAll(Marks, Diag::StatementValue);
  return true;
}

} // namespace loopscope::instrument
