// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AST -> annotations.
//
// Walks the AST, keeps track of where it is, and passes what may be annotated
// to a Finder.

#include "Instrument/Find/Annotations.h"

#include "Instrument/Find/Finder.h"
#include "Instrument/Find/FunctionMode.h"
#include "Instrument/Text/Loops.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

class Visitor : public DynamicRecursiveASTVisitor {
  using Base = DynamicRecursiveASTVisitor;

public:
  Visitor(Finder &Find, const Places &Where, const FindOptions &Options)
      : Find(Find), Where(Where), Options(Options) {}

  bool TraverseDecl(Decl *D) override {
    if (!D || Find.isForeign(*D))
      return true;
    llvm::SaveAndRestore<llvm::StringRef> NoLambdas(Find.NoLambdas);
    if (isa<ParmVarDecl>(D))
      Find.NoLambdas = "default argument";
    else if (isa<ConceptDecl, NonTypeTemplateParmDecl>(D))
      Find.NoLambdas = "in a type";
    bool Constant = isConstant(*D);
    Find.ConstantDepth += Constant;
    if (auto *Function = dyn_cast<FunctionDecl>(D)) {
      Find.enter(*Function, Function->doesThisDeclarationHaveABody()
                                ? Function->getBody()
                                : nullptr);
      Find.function(*Function);
      Base::TraverseDecl(D);
      Find.Scopes.pop_back();
    } else {
      Base::TraverseDecl(D);
    }
    Find.ConstantDepth -= Constant;
    return true;
  }

  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    CXXMethodDecl *Call = Lambda->getCallOperator();
    // An implicitly constexpr lambda may stop being constexpr; an explicit one
    // may not.
    bool Constant = saysConstexpr(*Lambda);
    Find.ConstantDepth += Constant;
    Find.enter(*Call, Lambda->getBody());
    Find.function(*Call);
    Base::TraverseLambdaExpr(Lambda);
    Find.Scopes.pop_back();
    Find.ConstantDepth -= Constant;
    return true;
  }

#if LLVM_VERSION_MAJOR < 22
  bool TraverseTypeLoc(TypeLoc Type) override {
    llvm::SaveAndRestore<llvm::StringRef> NoLambdas(Find.NoLambdas,
                                                    "in a type");
    return Base::TraverseTypeLoc(Type);
  }
#else
  bool TraverseTypeLoc(TypeLoc Type, bool TraverseQualifier) override {
    llvm::SaveAndRestore<llvm::StringRef> NoLambdas(Find.NoLambdas,
                                                    "in a type");
    return Base::TraverseTypeLoc(Type, TraverseQualifier);
  }
#endif

  bool
  TraverseTemplateArgumentLoc(const TemplateArgumentLoc &Argument) override {
    llvm::SaveAndRestore<llvm::StringRef> NoLambdas(Find.NoLambdas,
                                                    "in a type");
    return Base::TraverseTemplateArgumentLoc(Argument);
  }

  bool TraverseStmt(Stmt *S) override {
    if (!S)
      return true;
    llvm::SaveAndRestore<llvm::StringRef> NoLambdas(Find.NoLambdas);
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, RequiresExpr,
            CXXTypeidExpr>(S))
      Find.NoLambdas = "not evaluated";
    bool Constant = isa<ConstantExpr>(S);
    Find.ConstantDepth += Constant;
    // Calls of functions that aren't constexpr only occur unevaluated, in
    // sizeof or noexcept.
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && Find.ConstantDepth)
      if (const FunctionDecl *Callee = Call->getDirectCallee();
          Callee && Callee->isConstexpr())
        Find.CalledByCompiler.insert(Callee->getCanonicalDecl());
    bool WasInMacroUse = Find.InMacroUse;
    if (!Find.Scopes.empty()) {
      bool Numbered = isNumberedLoop(*S, Where);
      Find.Scopes.back().Loops += Numbered;
      if (Numbered || isa<CallExpr>(S))
        Find.seeForHints(*S);
    }
    if (auto *Attributed = dyn_cast<AttributedStmt>(S))
      Find.statement(*Attributed);
    else if (auto *Declaration = dyn_cast<DeclStmt>(S))
      Find.declaration(*Declaration);
    else if (Find.mayBeSelected(*S))
      Find.statement(Find.select(*S, 0), *S, *S);
    if (Options.Select && (isa<CompoundStmt>(S) || !isa<Expr>(S)))
      Find.InMacroUse = Where.spelled(S->getBeginLoc())
                            ? Find.InMacroUse && !isa<CompoundStmt>(S)
                            : Find.InMacroUse || isMacroUse(*S, Where);
    Find.Parents.push_back(S);
    Base::TraverseStmt(S);
    Find.Parents.pop_back();
    Find.InMacroUse = WasInMacroUse;
    Find.ConstantDepth -= Constant;
    return true;
  }

private:
  bool saysConstexpr(const LambdaExpr &Lambda) const {
    std::optional<FileRange> Head = Where.tokens(
        Lambda.getIntroducerRange().getEnd(), Lambda.getBody()->getBeginLoc());
    if (!Head)
      return false;
    llvm::StringRef Text =
        Where.text(Head->File).slice(Head->Text.Begin, Head->Text.End);
    return Text.contains("constexpr") || Text.contains("consteval");
  }

  /// Whether the compiler evaluates what D contains.
  static bool isConstant(const Decl &D) {
    if (isa<StaticAssertDecl, EnumConstantDecl>(D))
      return true;
    const auto *Variable = dyn_cast<VarDecl>(&D);
    return Variable &&
           (Variable->isConstexpr() || Variable->hasAttr<ConstInitAttr>());
  }

  Finder &Find;
  const Places &Where;
  const FindOptions &Options;
};

} // namespace

FindResult findAnnotations(ASTContext &Context, const Places &Where,
                           const FindOptions &Options) {
  Finder Find(Context, Where, Options);
  if (Options.Functions)
    Find.CalledByLoader = calledByLoader(Context);
  Visitor(Find, Where, Options).TraverseDecl(Context.getTranslationUnitDecl());
  Find.refuseCalledByCompiler();
  return std::move(Find.Result);
}

bool mayBeSelected(const FunctionDecl &Function, const FindOptions &Options) {
  if (Options.Functions || Options.Suggest)
    return true;
  if (!Options.Select || Options.Select->Rules.empty())
    return false;
  // Names of lambdas and of local classes' members begin with the function's
  // name. A near miss is examined too, for the rule's warning.
  std::string Name = functionName(Function);
  return llvm::any_of(Options.Select->Rules, [&](const Rule &R) {
    const Pattern &P = R.Function.empty() ? R.In : R.Function;
    return P.empty() || P.mayBegin(Name) || isNear(Name, P.text());
  });
}

} // namespace loopscope::instrument
