// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions for inserting a guard.

#include "Instrument/Text/Safety.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

/// Labels and jumps in some statements.
struct Jumps {
  llvm::SmallPtrSet<const LabelDecl *, 4> Labels;
  llvm::SmallPtrSet<const LabelDecl *, 4> Addresses;
  llvm::SmallVector<const GotoStmt *, 4> Gotos;
  unsigned Computed = 0; ///< Jumps to addresses; asm goto is one.
  bool OpenCase = false; ///< A case label of a switch that isn't among them.

  void collect(const Stmt *S, bool InSwitch = false) {
    if (!S)
      return;
    if (const auto *Label = dyn_cast<LabelStmt>(S))
      Labels.insert(Label->getDecl());
    else if (const auto *Goto = dyn_cast<GotoStmt>(S))
      Gotos.push_back(Goto);
    else if (const auto *Address = dyn_cast<AddrLabelExpr>(S))
      Addresses.insert(Address->getLabel());
    else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S);
             Asm && Asm->isAsmGoto()) {
      ++Computed;
      for (const AddrLabelExpr *To : Asm->labels())
        Addresses.insert(To->getLabel());
    } else if (isa<IndirectGotoStmt>(S))
      ++Computed;
    else if (isa<SwitchCase>(S))
      OpenCase |= !InSwitch;
    else if (isa<SwitchStmt>(S))
      InSwitch = true;
    for (const Stmt *Child : S->children())
      collect(Child, InSwitch);
  }
};

} // namespace

bool isJumpedInto(const Stmt *Body, llvm::ArrayRef<const Stmt *> Inside) {
  Jumps In, All;
  for (const Stmt *S : Inside)
    In.collect(S);
  if (In.OpenCase)
    return true;
  if (In.Labels.empty())
    return false;
  All.collect(Body);
  if (All.Computed != In.Computed)
    for (const LabelDecl *Label : All.Addresses)
      if (In.Labels.contains(Label))
        return true;
  for (const GotoStmt *Goto : All.Gotos)
    if (In.Labels.contains(Goto->getLabel()) &&
        llvm::find(In.Gotos, Goto) == In.Gotos.end())
      return true;
  return false;
}

bool isNamed(const LabelDecl *Label, const Stmt *Inside) {
#if CLANG_VERSION_MAJOR >= 22
  if (const auto *Jump = dyn_cast<LoopControlStmt>(Inside);
      Jump && Jump->getLabelDecl() == Label)
    return true;
#endif
  return llvm::any_of(Inside->children(), [Label](const Stmt *Child) {
    return Child && isNamed(Label, Child);
  });
}

bool mayJumpOut(const Stmt *Body, llvm::ArrayRef<const Stmt *> Inside) {
  Jumps In, All;
  for (const Stmt *S : Inside)
    In.collect(S);
  if (In.Computed == 0)
    return false;
  All.collect(Body);
  return llvm::any_of(All.Addresses, [&](const LabelDecl *Label) {
    return !In.Labels.contains(Label);
  });
}

bool holdsMustTail(llvm::ArrayRef<const Stmt *> Inside) {
  return llvm::any_of(Inside, [](const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    const auto *Attributed = dyn_cast<AttributedStmt>(S);
    if (Attributed && hasSpecificAttr<MustTailAttr>(Attributed->getAttrs()))
      return true;
    return llvm::any_of(S->children(),
                        [](const Stmt *Child) { return holdsMustTail(Child); });
  });
}

std::optional<Diag> whyNoHooks(const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  bool IsLambda = Method && Method->getParent()->isLambda();
  if (Function.isConsteval())
    return Diag::ConstevalFunction;
  // A lambda is constexpr if it can be; losing that is refused where it
  // matters, in constant expressions.
  if (Function.isConstexprSpecified() && !IsLambda)
    return Diag::ConstexprFunction;
  if (Function.hasAttr<CUDAGlobalAttr>())
    return Diag::Kernel;
  if (Function.hasAttr<CUDADeviceAttr>() && !Function.hasAttr<CUDAHostAttr>())
    return Diag::DeviceCode;
  if (const Stmt *Body = Function.getBody();
      Body && isa<CoroutineBodyStmt>(Body))
    return Diag::Coroutine;
  return std::nullopt;
}

} // namespace loopscope::instrument
