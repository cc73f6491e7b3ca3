//===- TrainingLoops.cpp - Loops and calls that look like training --------===//

#include "TrainingLoops.h"

#include "Annotations.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <map>
#include <utility>

using namespace clang;

namespace loopscope::instrument {
namespace {

/// A name that begins and ends with these gets the data of a step.
constexpr llvm::StringLiteral Verbs[] = {"get", "load", "next", "read",
                                         "fetch"};
constexpr llvm::StringLiteral Nouns[] = {"data",      "batch",   "batches",
                                         "minibatch", "samples", "examples"};

/// Judges a callee by its name, OBJECT being what it is called on.
Role roleOf(llvm::StringRef Callee, llvm::StringRef Object) {
  std::string Flat;
  for (char C : Callee)
    if (C != '_')
      Flat += llvm::toLower(C);
  llvm::StringRef Name = Flat;
  std::string On = Object.lower();
  auto HasIn = [](llvm::StringRef Text,
                  std::initializer_list<llvm::StringRef> Words) {
    return llvm::any_of(Words,
                        [&](llvm::StringRef W) { return Text.contains(W); });
  };
  auto Has = [&](std::initializer_list<llvm::StringRef> Words) {
    return HasIn(Name, Words);
  };
  if (Has({"zerograd", "cleargrad", "resetgrad"}))
    return Role::ZeroGrad;
  if (Has({"backward", "backprop", "bprop"}))
    return Role::Backward;
  if (Has({"loss", "criterion", "crossentropy", "nll", "mse"}) ||
      Name.ends_with("cost"))
    return Role::Loss;
  if (Has({"forward", "fprop"}))
    return Role::Forward;
  if (HasIn(On, {"model", "net"}) &&
      (Name == "operator()" || Name == "predict"))
    return Role::Forward;
  if (HasIn(On, {"criterion"}))
    return Role::Loss;
  if (Name == "step" ||
      Has({"optstep", "optimizerstep", "sgdstep", "adamstep", "sgdupdate",
           "adamupdate", "updateweight", "updateparam", "applygradient",
           "rmsprop", "adagrad"}) ||
      Name.ends_with("sgd") || Name.ends_with("adam") ||
      Name.ends_with("adamw"))
    return Role::OptStep;
  if (Has({"trainstep", "trainbatch", "trainonebatch", "trainminibatch",
           "trainonce", "trainnetwork", "trainiteration", "trainonestep"}))
    return Role::Step;
  auto Gets = [&](llvm::StringRef Verb) { return Name.starts_with(Verb); };
  auto Data = [&](llvm::StringRef What) { return Name.ends_with(What); };
  bool Counts = Has({"current", "count", "size", "num"});
  if (!Counts &&
      (Has({"nextbatch", "getbatch", "loadbatch", "fetchbatch", "drawbatch"}) ||
       Name == "load" || Name == "fetch" ||
       (llvm::any_of(Verbs, Gets) && llvm::any_of(Nouns, Data))))
    return Role::Draw;
  if ((Name.starts_with("update") || Name.ends_with("update")) &&
      !HasIn(Flat + " " + On, {"progress", "bar", "metric", "meter", "log",
                               "stat", "timer", "display", "average"}))
    return Role::Update;
  return Role::None;
}

class Collector : public RecursiveASTVisitor<Collector> {
  using Base = RecursiveASTVisitor<Collector>;

public:
  Collector(const ASTContext &Context, const Places &Where)
      : SM(Context.getSourceManager()), Where(Where) {}

  std::vector<FoundScope> Scopes;

  bool TraverseDecl(Decl *D) {
    if (!D || (D->getLocation().isValid() &&
               SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()))))
      return true;
    auto *Function = dyn_cast<FunctionDecl>(D);
    if (!Function || !Function->doesThisDeclarationHaveABody())
      return Base::TraverseDecl(D);
    auto Saved = std::make_tuple(In, Ordinal, Current);
    In = functionName(*Function);
    Ordinal = 0;
    Current = static_cast<int>(Scopes.size());
    Scopes.push_back(scopeAt(D->getLocation()));
    Base::TraverseDecl(D);
    std::tie(In, Ordinal, Current) = Saved;
    return true;
  }

  bool TraverseStmt(Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return true;
    if (Current < 0)
      return Base::TraverseStmt(S);
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      int Noted = note(*Call);
      int Outer = std::exchange(Holder, Noted >= 0 ? Noted : Holder);
      Base::TraverseStmt(S);
      Holder = Outer;
      return true;
    }
    if (!isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S))
      return Base::TraverseStmt(S);
    FoundScope L = scopeAt(S->getBeginLoc());
    L.IsLoop = true;
    L.Said = variable(*S);
    L.Ordinal = ++Ordinal;
    L.Epochs =
        llvm::StringRef(L.Said).lower().find("epoch") != std::string::npos;
    if (Scopes[static_cast<size_t>(Current)].IsLoop)
      L.Outer = Current;
    int Around = std::exchange(Current, static_cast<int>(Scopes.size()));
    Scopes.push_back(std::move(L));
    Base::TraverseStmt(S);
    Current = Around;
    return true;
  }

  /// Once all scopes are known: what rules call the loops, and what they hold.
  void finish() {
    std::map<std::pair<std::string, std::string>, unsigned> Uses;
    for (const FoundScope &L : Scopes)
      ++Uses[{L.In, L.Said}];
    for (FoundScope &L : Scopes) {
      if (L.IsLoop && (L.Said.empty() || Uses[{L.In, L.Said}] > 1))
        L.Said = std::to_string(L.Ordinal);
      judgeUpdates(L);
    }
    // Inner loops come behind outer ones.
    for (auto L = Scopes.rbegin(); L != Scopes.rend(); ++L) {
      for (const FoundCall &C : L->Calls) {
        L->Roles.insert(C.R);
        L->Roles.insert(C.Inner.begin(), C.Inner.end());
      }
      L->Roles.erase(Role::Update);
      if (L->Outer >= 0)
        Scopes[static_cast<size_t>(L->Outer)].Roles.insert(L->Roles.begin(),
                                                           L->Roles.end());
    }
  }

private:
  FoundScope scopeAt(SourceLocation Location) const {
    FoundScope S;
    S.In = In;
    S.File = llvm::sys::path::filename(Where.path(Location)).str();
    S.Line = Where.line(Where.expanded(Location));
    return S;
  }

  /// The first update behind the backward pass is the optimizer's step, if
  /// nothing else is.
  static void judgeUpdates(FoundScope &S) {
    bool Stepped = llvm::any_of(
        S.Calls, [](const FoundCall &C) { return C.R == Role::OptStep; });
    bool Backward = false;
    for (FoundCall &C : S.Calls) {
      Backward |= C.R == Role::Backward;
      if (C.R == Role::Update && Backward && !std::exchange(Stepped, true))
        C.R = Role::OptStep;
    }
    llvm::erase_if(S.Calls,
                   [](const FoundCall &C) { return C.R == Role::Update; });
  }

  static std::string variable(const Stmt &Loop) {
    const Stmt *Start = nullptr;
    if (const auto *For = dyn_cast<ForStmt>(&Loop))
      Start = For->getInit();
    else if (const auto *ForRange = dyn_cast<CXXForRangeStmt>(&Loop))
      Start = ForRange->getLoopVarStmt();
    if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(Start);
        Declaration && Declaration->isSingleDecl())
      if (const auto *V = dyn_cast<VarDecl>(Declaration->getSingleDecl()))
        return V->getNameAsString();
    if (const auto *Assignment = dyn_cast_or_null<BinaryOperator>(Start))
      if (const auto *V =
              dyn_cast<DeclRefExpr>(Assignment->getLHS()->IgnoreParens()))
        return V->getDecl()->getNameAsString();
    return "";
  }

  /// What CALL is made on, as it is written: `optimizer` of
  /// `optimizer.step()`.
  std::string objectOf(const CallExpr &Call) const {
    const Expr *Object = nullptr;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
      Object = Member->getImplicitObjectArgument();
    else if (isa<CXXOperatorCallExpr>(Call) && Call.getNumArgs() != 0)
      Object = Call.getArg(0);
    if (!Object)
      return "";
    auto Text = Where.tokens(Object->getBeginLoc(), Object->getEndLoc());
    return Text ? Where.text(Text->File)
                      .slice(Text->Text.Begin, Text->Text.End)
                      .str()
                : "";
  }

  /// Notes CALL; gives its index among the calls with a role, or -1.
  int note(const CallExpr &Call) {
    auto [Qualified, Name] = calleeNames(Call);
    if (Name.empty())
      return -1;
    FoundScope &S = Scopes[static_cast<size_t>(Current)];
    S.Callees.push_back(Qualified);
    Role R = roleOf(Name, objectOf(Call));
    if (R == Role::None)
      return -1;
    // A statement can be one phase only.
    if (Holder >= 0) {
      if (R != Role::Update)
        S.Calls[static_cast<size_t>(Holder)].Inner.push_back(R);
      return -1;
    }
    // One rule per role and callee: a rule matches every such call.
    for (size_t I = 0; I < S.Calls.size(); ++I)
      if (S.Calls[I].Callee == Qualified)
        return static_cast<int>(I);
    S.Calls.push_back(
        {R, Qualified, Where.line(Where.expanded(Call.getBeginLoc())), {}});
    return static_cast<int>(S.Calls.size()) - 1;
  }

  const SourceManager &SM;
  const Places &Where;
  std::string In;
  unsigned Ordinal = 0;
  int Current = -1; ///< Scope.
  int Holder = -1;  ///< Index of the call around this place, if it has a role.
};

} // namespace

std::vector<FoundScope> findTrainingScopes(ASTContext &Context,
                                           const Places &Where) {
  Collector C(Context, Where);
  C.TraverseDecl(Context.getTranslationUnitDecl());
  C.finish();
  return std::move(C.Scopes);
}

} // namespace loopscope::instrument
