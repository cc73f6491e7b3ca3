//===- Safety.cpp - What must hold where a guard is inserted --------------===//

#include "Safety.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

/// Labels and jumps of some statements.
struct Jumps {
  llvm::SmallPtrSet<const LabelDecl *, 4> Labels;
  llvm::SmallPtrSet<const LabelDecl *, 4> Addresses;
  llvm::SmallVector<const GotoStmt *, 4> Gotos;
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
    else if (isa<SwitchCase>(S))
      OpenCase |= !InSwitch;
    else if (isa<SwitchStmt>(S))
      InSwitch = true;
    for (const Stmt *Child : S->children())
      collect(Child, InSwitch);
  }
};

/// Whether E, before its implicit conversions, gets one that a comma
/// expression would not get, or would change the meaning of.
bool convertsDirectly(const Expr *E) {
  const Expr *Inner = E->IgnoreParens();
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(Inner))
    Inner = Cleanups->getSubExpr()->IgnoreParens();
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Inner)) {
    CastKind K = Cast->getCastKind();
    if (K != CK_LValueToRValue && K != CK_NoOp)
      return true;
  }
  return false;
}

/// Whether evaluating E calls something; other expressions take no time worth a
/// comma, and may be constants.
bool callsSomething(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<CallExpr, CXXConstructExpr, CXXUnresolvedConstructExpr, CXXNewExpr>(
          S))
    return true;
  for (const Stmt *Child : S->children())
    if (callsSomething(Child))
      return true;
  return false;
}

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
  for (const LabelDecl *Label : All.Addresses)
    if (In.Labels.contains(Label))
      return true;
  for (const GotoStmt *Goto : All.Gotos)
    if (In.Labels.contains(Goto->getLabel()) &&
        llvm::find(In.Gotos, Goto) == In.Gotos.end())
      return true;
  return false;
}

std::optional<Diag> whyNoHooks(const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  bool IsLambda = Method && Method->getParent()->isLambda();
  if (Function.isConsteval())
    return Diag::ConstevalFunction;
  // A lambda is constexpr when it can be; losing that is refused where it
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

bool takesCommaGuard(const VarDecl &Variable, const ASTContext &Context) {
  const Expr *Init = Variable.getInit();
  if (!Context.getLangOpts().CPlusPlus || !Init ||
      Variable.getInitStyle() != VarDecl::CInit || Variable.isConstexpr() ||
      Variable.hasAttr<ConstInitAttr>() || !Variable.hasLocalStorage())
    return false;
  QualType Type = Variable.getType();
  if (const auto *Auto = Type->getContainedAutoType())
    if (Auto->isDecltypeAuto())
      return false;
  const Expr *Plain = Init->IgnoreParens();
  if (isa<InitListExpr, ParenListExpr>(Plain) || Type->isArrayType() ||
      !callsSomething(Init->IgnoreUnlessSpelledInSource()))
    return false;
  bool Scalar = !Type->isDependentType() && Type->isScalarType();
  if (Type.isConstQualified() &&
      (Type->isDependentType() || Type->isIntegralOrEnumerationType()))
    return false;
  if (Init->getType()->isSpecificPlaceholderType(BuiltinType::Overload) ||
      Init->getType()->isSpecificPlaceholderType(BuiltinType::BoundMember))
    return false;
  if (Scalar)
    return !convertsDirectly(Init);
  if (Context.getLangOpts().CPlusPlus17)
    return true;
  // Before C++17 a comma expression costs a copy or an extended lifetime.
  return Type->isReferenceType() && Init->isGLValue() &&
         !isa<MaterializeTemporaryExpr>(Init->IgnoreParenImpCasts()) &&
         !isa<ExprWithCleanups>(Plain);
}

} // namespace loopscope::instrument
