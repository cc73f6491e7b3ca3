// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pragmas around an annotated statement.

#include "Instrument/Find/Finder.h"

#include "clang/AST/Attr.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/OpenMPKinds.h"
#include "llvm/Support/Regex.h"

#include <algorithm>

using namespace clang;

namespace loopscope::instrument {
namespace {

bool holds(const Stmt *S, const Stmt *Inner) {
  return S && (S == Inner || llvm::any_of(S->children(), [&](const Stmt *Each) {
                 return holds(Each, Inner);
               }));
}

/// How many nested loops DIRECTIVE treats as one.
unsigned nestedLoops(const OMPLoopBasedDirective &Directive) {
  unsigned Loops = Directive.getLoopsNumber();
  for (const OMPClause *Clause : Directive.clauses())
    if (const auto *Ordered = dyn_cast<OMPOrderedClause>(Clause))
      if (const Expr *Number = Ordered->getNumForLoops())
        if (const auto *Value = dyn_cast<ConstantExpr>(Number))
          Loops = std::max(
              Loops,
              static_cast<unsigned>(Value->getResultAsAPSInt().getZExtValue()));
  return Loops;
}

/// Whether SUB is one of the loops that DIRECTIVE treats as one, or is between
/// two of them.
bool isInNest(const OMPLoopBasedDirective &Directive, const Stmt *Sub) {
  bool Inside = false;
  OMPLoopBasedDirective::doForAllLoops(
      Directive.getRawStmt(), /*TryImperfectlyNestedLoops=*/true,
      nestedLoops(Directive), [&](unsigned Depth, const Stmt *Loop) {
        Inside |= Depth == 0 ? Sub == Loop : holds(Sub, Loop);
        return false;
      });
  return Inside;
}

bool holdsScan(const Stmt *S) {
  const auto *Compound = dyn_cast<CompoundStmt>(S);
  return Compound && llvm::any_of(Compound->body(), [](const Stmt *Each) {
           return isa<OMPScanDirective>(Each);
         });
}

/// Whether TEXT ends with the name of a macro that TEXT itself defines as a
/// pragma.
bool endsWithPragmaMacro(llvm::StringRef Text) {
  Text = Text.rtrim();
  llvm::StringRef Name = Text.take_back(
      Text.size() -
      Text.find_last_not_of("abcdefghijklmnopqrstuvwxyz_"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") -
      1);
  if (Name.empty())
    return false;
  llvm::Regex Definition("#[ \t]*define[ \t]+" + Name.str() +
                         "([ \t]|\\\\\r?\n)+_Pragma");
  return Definition.match(Text);
}

/// Whether TEXT ends with a macro's use.
bool endsWithMacro(llvm::StringRef Text, const IdentifierTable &Names) {
  Text = Text.rtrim();
  unsigned Depth = 0;
  while (!Text.empty() && (Depth != 0 || Text.ends_with(")"))) {
    Depth += Text.back() == ')';
    Depth -= Text.back() == '(';
    Text = Text.drop_back();
  }
  Text = Text.rtrim();
  size_t Begin = Text.size();
  while (Begin > 0 && isAsciiIdentifierContinue(Text[Begin - 1]))
    --Begin;
  auto Known = Names.find(Text.drop_front(Begin));
  return Known != Names.end() && Known->second &&
         Known->second->hadMacroDefinition();
}

} // namespace

bool Finder::underPragma(const std::vector<Mark> &Marks, const Stmt &Node,
                         const Stmt *Sub) {
  if (!isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(Sub))
    return false;
  const auto *Attributed = dyn_cast<AttributedStmt>(&Node);
  if (Attributed && hasSpecificAttr<LoopHintAttr>(Attributed->getAttrs())) {
    refuseAll(Marks, Diag::PragmaLoop);
    return true;
  }
  Place P = Where.expanded(Marks.front().Loc);
  Range Attribute = Where.attribute(Marks.front().Loc);
  // Clang doesn't know all of gcc's pragmas, so some leave no trace in the
  // tree.
  if (endsWithPragmaMacro(Where.text(P.File).take_front(Attribute.Begin))) {
    refuseAll(Marks, Diag::PragmaLoop);
    return true;
  }
  // nvcc compiles such a function once more, for the device: there the macro
  // before the loop may be a pragma, and a conditional pragma may be in force.
  bool TwoPasses = Context.getLangOpts().CUDA &&
                   Scopes.back().Decl->hasAttr<CUDADeviceAttr>();
  if (TwoPasses && endsWithMacro(Where.text(P.File).take_front(Attribute.Begin),
                                 Context.Idents)) {
    refuseAll(Marks, Diag::PragmaLoop);
    return true;
  }
  for (const LoopPragma &Pragma : Where.loopPragmas(P.File)) {
    if (Pragma.NextToken != Attribute.Begin ||
        (Pragma.IsConditional && !TwoPasses))
      continue;
    refuseAll(Marks, Diag::PragmaLoop);
    return true;
  }
  return false;
}

bool Finder::inDirective(const std::vector<Mark> &Marks, const Stmt *Sub) {
  const Stmt *Child = Sub;
  for (size_t I = Parents.size(); I > Scopes.back().FirstParent; --I) {
    const Stmt *Parent = Parents[I - 1];
    if (isa<AttributedStmt, CapturedStmt>(Parent))
      continue;
    bool Direct = Child == Sub;
    Child = Parent;
    const auto *Directive = dyn_cast<OMPExecutableDirective>(Parent);
    if (!Directive)
      continue;
    if (isOpenMPTargetExecutionDirective(Directive->getDirectiveKind())) {
      refuseAll(Marks, Diag::DeviceCode);
      return true;
    }
    const auto *Loops = dyn_cast<OMPLoopBasedDirective>(Directive);
    if (isa<OMPAtomicDirective>(Directive) ||
        (Direct &&
         isa<OMPSectionsDirective, OMPParallelSectionsDirective>(Directive)) ||
        holdsScan(Sub) || (Loops && isInNest(*Loops, Sub))) {
      refuseAll(Marks, Diag::DirectivePart);
      return true;
    }
  }
  return false;
}

} // namespace loopscope::instrument
