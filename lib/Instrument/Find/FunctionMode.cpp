// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the functions that --functions instruments.

#include "Instrument/Find/FunctionMode.h"

#include "Instrument/Text/Safety.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

struct Weight {
  unsigned Statements = 0;
  unsigned Calls = 0;
  unsigned Loops = 0;
  bool ReturnsTwice = false;

  void add(const Stmt *S, bool IsStatement) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (IsStatement && !isa<CompoundStmt>(S))
      ++Statements;
    if (isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S))
      ++Loops;
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      ++Calls;
      const FunctionDecl *Callee = Call->getDirectCallee();
      // setjmp and vfork don't restore a guard's state.
      ReturnsTwice |=
          Callee &&
          (Callee->hasAttr<ReturnsTwiceAttr>() ||
           (Callee->getIdentifier() && (Callee->getName().ends_with("setjmp") ||
                                        Callee->getName() == "vfork")));
    }
    // OpenMP's regions: what they capture are their children.
    if (const auto *Region = dyn_cast<CapturedStmt>(S)) {
      add(Region->getCapturedStmt(), false);
      return;
    }
    for (const Stmt *Child : S->children())
      add(Child, isa<CompoundStmt>(S) || !isa_and_nonnull<Expr>(Child));
  }
};

Weight weigh(const Stmt &Body) {
  Weight W;
  W.add(&Body, true);
  return W;
}

/// Whether the body only returns a member, a parameter or a constant.
bool isAccessor(const Stmt &Body) {
  const auto *Compound = dyn_cast<CompoundStmt>(&Body);
  if (!Compound || Compound->size() != 1)
    return Compound && Compound->body_empty();
  const auto *Return = dyn_cast<ReturnStmt>(Compound->body_front());
  return Return && weigh(Body).Calls == 0;
}

/// Calls VISIT(function) for functions in CONTEXT's namespaces, except system
/// headers.
template <typename Function>
void eachFunction(const DeclContext &Context, const SourceManager &SM,
                  Function Visit) {
  for (const Decl *D : Context.decls()) {
    if (D->getLocation().isValid() &&
        SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      continue;
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      Visit(*F);
    else if (isa<NamespaceDecl, LinkageSpecDecl>(D))
      eachFunction(*cast<DeclContext>(D), SM, Visit);
  }
}

void addWithCallees(const FunctionDecl &Function, FunctionSet &To);

void addCallees(const Stmt *S, FunctionSet &To) {
  if (!S)
    return;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *Callee = Call->getDirectCallee())
      addWithCallees(*Callee, To);
  if (const auto *Region = dyn_cast<CapturedStmt>(S))
    addCallees(Region->getCapturedStmt(), To);
  for (const Stmt *Child : S->children())
    addCallees(Child, To);
}

void addWithCallees(const FunctionDecl &Function, FunctionSet &To) {
  if (To.insert(Function.getCanonicalDecl()).second)
    addCallees(Function.getBody(), To);
}

/// Whether S does something that no compiler does at compile time. Some
/// compilers evaluate more builtins than others.
bool needsRunTime(const Stmt *S, const ASTContext &Context) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *Callee = Call->getDirectCallee()) {
      unsigned Builtin = Callee->getBuiltinID();
      if (!Callee->isConstexpr() &&
          (Builtin == 0 ||
           !(Context.BuiltinInfo.isConst(Builtin) ||
             Context.BuiltinInfo.isConstWithoutErrnoAndExceptions(Builtin) ||
             Context.BuiltinInfo.isPure(Builtin))))
        return true;
    }
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
    if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
        Variable && Variable->hasGlobalStorage() &&
        !Variable->isUsableInConstantExpressions(Context))
      return true;
  if (isa<AsmStmt>(S))
    return true;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return needsRunTime(Child, Context);
  });
}

bool launchesKernel(const Stmt *S) {
  return S && (isa<CUDAKernelCallExpr>(S) ||
               llvm::any_of(S->children(), launchesKernel));
}

/// Whether C captures something known only at run time.
bool isVariable(const LambdaCapture &C, const ASTContext &Context) {
  if (!C.capturesVariable())
    return true;
  const auto *Variable = dyn_cast<VarDecl>(C.getCapturedVar());
  if (!Variable || Variable->getType()->isDependentType())
    return true;
  if (!Variable->isInitCapture())
    return !Variable->isUsableInConstantExpressions(Context);
  const Expr *Init = Variable->getInit();
  return Init && !Init->isValueDependent() && !Init->isEvaluatable(Context);
}

} // namespace

bool isLambda(const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  return Method && Method->getParent()->isLambda();
}

bool mayBeConstant(const FunctionDecl &Call) {
  const ASTContext &Context = Call.getASTContext();
  const auto &Closure = *cast<CXXMethodDecl>(Call).getParent();
  if (!Call.isConstexpr() ||
      llvm::any_of(Closure.captures(), [&](const LambdaCapture &C) {
        return isVariable(C, Context);
      }))
    return false;
  llvm::SmallVector<PartialDiagnosticAt, 8> Why;
  return !needsRunTime(Call.getBody(), Context) ||
         (!launchesKernel(Call.getBody()) &&
          Expr::isPotentialConstantExpr(&Call, Why));
}

FunctionSet calledByLoader(ASTContext &Context) {
  FunctionSet Result;
  const SourceManager &SM = Context.getSourceManager();
  const DeclContext &All = *Context.getTranslationUnitDecl();
  llvm::StringSet<> Resolvers;
  eachFunction(All, SM, [&](const FunctionDecl &F) {
    if (const auto *Attribute = F.getAttr<IFuncAttr>())
      Resolvers.insert(Attribute->getResolver());
  });
  if (Resolvers.empty())
    return Result;
  ASTNameGenerator Names(Context);
  eachFunction(All, SM, [&](const FunctionDecl &F) {
    if (Resolvers.contains(Names.getName(&F)))
      addWithCallees(F, Result);
  });
  return Result;
}

unsigned functionSize(const FunctionDecl &Function, const Stmt &Body) {
  constexpr unsigned LoopSize = 10;
  Weight W = weigh(Body);
  if (W.Loops == 0 &&
      ((Function.isOverloadedOperator() && !isLambda(Function)) ||
       isAccessor(Body) || isa<CXXConversionDecl>(Function)))
    return 0;
  return W.Statements + W.Calls + LoopSize * W.Loops;
}

bool hasLoop(const Stmt &Body) { return weigh(Body).Loops != 0; }

bool isLikelyInlined(const FunctionDecl &Function, const Stmt &Body) {
  return (Function.isInlined() || Function.isTemplated()) && !hasLoop(Body);
}

llvm::StringRef whyLeftOut(const FunctionDecl &Function, const Stmt &Body) {
  if (isLambda(Function) ? mayBeConstant(Function)
                         : Function.isConstexpr() || Function.isConsteval())
    return "constexpr";
  if (isa<CoroutineBodyStmt>(Body))
    return "coroutine";
  if (whyNoHooks(Function))
    return "device code";
  if (Function.hasAttr<NakedAttr>())
    return "naked";
  if (Function.hasAttr<NoInstrumentFunctionAttr>())
    return "no_instrument_function";
  if (weigh(Body).ReturnsTwice)
    return "setjmp or vfork";
  if (holdsMustTail(&Body))
    return "musttail";
  return "";
}

} // namespace loopscope::instrument
