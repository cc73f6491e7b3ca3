// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of functions.

#include "Instrument/Text/FunctionNames.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Version.h"

using namespace clang;

namespace loopscope::instrument {

std::string functionName(const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  if (!Method || !Method->getParent()->isLambda()) {
    PrintingPolicy Policy = Function.getASTContext().getPrintingPolicy();
    Policy.SuppressUnwrittenScope = false;
#if CLANG_VERSION_MAJOR >= 22
    Policy.SuppressInlineNamespace =
        llvm::to_underlying(PrintingPolicy::SuppressInlineNamespaceMode::None);
#else
    Policy.SuppressInlineNamespace = false;
#endif
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    Function.printQualifiedName(OS, Policy);
    // A conversion's name contains its canonical type, which in a template
    // isn't the one written.
    if (const auto *Conversion = dyn_cast<CXXConversionDecl>(&Function)) {
      size_t Operator = Name.rfind("operator ");
      Name.replace(Operator, std::string::npos,
                   "operator " +
                       Conversion->getReturnType().getAsString(Policy));
    }
    return Name;
  }
  const DeclContext *Scope = Method->getParent()->getParent();
  const DeclContext *Outer = Scope;
  while (Outer && !Outer->isFunctionOrMethod())
    Outer = Outer->getParent();
  if (const auto *Parent = dyn_cast_or_null<FunctionDecl>(Outer))
    return functionName(*Parent) + "::(lambda)";
  const auto *Named = dyn_cast_or_null<NamedDecl>(Scope);
  return Named ? Named->getQualifiedNameAsString() + "::(lambda)" : "(lambda)";
}

std::string parameterTypes(const FunctionDecl &Function) {
  std::string Text = "(";
  for (const ParmVarDecl *P : Function.parameters()) {
    if (Text.size() > 1)
      Text += ", ";
    Text +=
        P->getType().getAsString(Function.getASTContext().getPrintingPolicy());
  }
  return Text + ")";
}

/// The variable that CALL, of a lambda, calls; "" if there is none.
static std::string lambdaVariable(const CallExpr &Call) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call);
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (!Operator || !Method || !Method->getParent()->isLambda())
    return "";
  const auto *Reference =
      dyn_cast<DeclRefExpr>(Operator->getArg(0)->IgnoreParenImpCasts());
  return Reference ? Reference->getDecl()->getNameAsString() : "";
}

std::pair<std::string, std::string> calleeNames(const CallExpr &Call) {
  if (const FunctionDecl *Callee = Call.getDirectCallee()) {
    std::string Variable = lambdaVariable(Call);
    return {functionName(*Callee),
            Variable.empty() ? Callee->getNameAsString() : Variable};
  }
  const Expr *Callee = Call.getCallee()->IgnoreParenImpCasts();
  std::string Name;
  if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
    Name = Member->getMember().getAsString();
  else if (const auto *Overload = dyn_cast<OverloadExpr>(Callee))
    Name = Overload->getName().getAsString();
  else if (const auto *Member = dyn_cast<MemberExpr>(Callee))
    Name = Member->getMemberDecl()->getNameAsString();
  else if (const auto *Reference = dyn_cast<DeclRefExpr>(Callee))
    Name = Reference->getDecl()->getNameAsString();
  return {Name, Name};
}

} // namespace loopscope::instrument
