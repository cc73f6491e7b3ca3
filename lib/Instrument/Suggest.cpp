//===- Suggest.cpp - A selection file for a program without annotations ---===//

#include "Suggest.h"

#include "Annotations.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <map>
#include <set>

using namespace clang;

namespace loopscope::instrument {
namespace {

/// What a call in a step is for.
enum class Role { None, Draw, ZeroGrad, Forward, Loss, Backward, OptStep };

const char *phaseName(Role R) {
  switch (R) {
  case Role::ZeroGrad:
    return "zero_grad";
  case Role::Forward:
    return "forward";
  case Role::Loss:
    return "loss";
  case Role::Backward:
    return "backward";
  case Role::OptStep:
    return "opt_step";
  case Role::None:
  case Role::Draw:
    break;
  }
  return "";
}

/// Judges a callee by its name, OBJECT being what it is called on.
Role roleOf(llvm::StringRef Callee, llvm::StringRef Object) {
  std::string Flat;
  for (char C : Callee)
    if (C != '_')
      Flat += llvm::toLower(C);
  llvm::StringRef Name = Flat;
  std::string On = Object.lower();
  auto Has = [&](std::initializer_list<llvm::StringRef> Words) {
    return llvm::any_of(Words,
                        [&](llvm::StringRef W) { return Name.contains(W); });
  };
  if (Has({"zerograd", "cleargrad", "resetgrad"}))
    return Role::ZeroGrad;
  if (Has({"backward", "backprop"}))
    return Role::Backward;
  if (Has({"loss", "criterion", "crossentropy", "nll", "mse"}))
    return Role::Loss;
  if (Has({"forward"}))
    return Role::Forward;
  bool OnModel = llvm::StringRef(On).contains("model") ||
                 llvm::StringRef(On).contains("net");
  if (OnModel && (Name == "operator()" || Name == "predict"))
    return Role::Forward;
  if (llvm::StringRef(On).contains("criterion"))
    return Role::Loss;
  if (Name == "step" ||
      Has({"optstep", "optimizerstep", "sgdstep", "adamstep", "sgdupdate",
           "adamupdate", "updateweights", "updateparam", "applygradients"}))
    return Role::OptStep;
  if (Has({"nextbatch", "getbatch", "loadbatch", "fetchbatch", "drawbatch"}) ||
      Name == "load" || Name == "fetch")
    return Role::Draw;
  return Role::None;
}

struct FoundCall {
  Role R = Role::None;
  std::string Callee; ///< As a rule names it.
  unsigned Line = 0;
};

struct FoundLoop {
  std::string In; ///< Function.
  std::string
      Said; ///< Induction variable, or the ordinal where that isn't one.
  unsigned Ordinal = 0;
  std::string File;
  unsigned Line = 0;
  int Outer = -1; ///< Index of the loop around it.
  bool Epochs = false;
  std::vector<FoundCall> Calls; ///< Of this loop, not of inner ones.
  std::set<Role> Roles;         ///< With those of inner loops.
  std::vector<std::string> Callees;

  /// How many of the parts of a step it holds.
  size_t parts() const { return Roles.size() - Roles.count(Role::Draw); }
  bool trains() const {
    return Roles.count(Role::Backward) + Roles.count(Role::OptStep) != 0;
  }
};

class Collector : public RecursiveASTVisitor<Collector> {
  using Base = RecursiveASTVisitor<Collector>;

public:
  Collector(const ASTContext &Context, const Places &Where)
      : SM(Context.getSourceManager()), Where(Where) {}

  std::vector<FoundLoop> Loops;

  bool TraverseDecl(Decl *D) {
    if (!D || (D->getLocation().isValid() &&
               SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()))))
      return true;
    auto *Function = dyn_cast<FunctionDecl>(D);
    if (!Function)
      return Base::TraverseDecl(D);
    auto Saved = std::make_tuple(In, Ordinal, Current);
    In = functionName(*Function);
    Ordinal = 0;
    Current = -1;
    Base::TraverseDecl(D);
    std::tie(In, Ordinal, Current) = Saved;
    return true;
  }

  bool TraverseStmt(Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return true;
    if (!isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S)) {
      if (const auto *Call = dyn_cast<CallExpr>(S); Call && Current >= 0)
        note(*Call);
      return Base::TraverseStmt(S);
    }
    FoundLoop L;
    L.In = In;
    L.Said = variable(*S);
    ++Ordinal;
    L.Epochs =
        llvm::StringRef(L.Said).lower().find("epoch") != std::string::npos;
    L.Ordinal = Ordinal;
    Place P = Where.expanded(S->getBeginLoc());
    L.File = llvm::sys::path::filename(Where.path(S->getBeginLoc())).str();
    L.Line = Where.line(P);
    L.Outer = Current;
    int Outer = std::exchange(Current, static_cast<int>(Loops.size()));
    Loops.push_back(std::move(L));
    Base::TraverseStmt(S);
    Current = Outer;
    return true;
  }

  /// Once all loops are known: what rules call them, and what they hold.
  void finish() {
    std::map<std::pair<std::string, std::string>, unsigned> Uses;
    for (const FoundLoop &L : Loops)
      ++Uses[{L.In, L.Said}];
    for (FoundLoop &L : Loops)
      if (L.Said.empty() || Uses[{L.In, L.Said}] > 1)
        L.Said = std::to_string(L.Ordinal);
    // Inner loops come behind outer ones.
    for (auto L = Loops.rbegin(); L != Loops.rend(); ++L) {
      for (const FoundCall &C : L->Calls)
        L->Roles.insert(C.R);
      if (L->Outer >= 0)
        Loops[static_cast<size_t>(L->Outer)].Roles.insert(L->Roles.begin(),
                                                          L->Roles.end());
    }
  }

private:
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

  void note(const CallExpr &Call) {
    std::string Name, Qualified;
    if (const FunctionDecl *Callee = Call.getDirectCallee()) {
      Name = Callee->getNameAsString();
      Qualified = functionName(*Callee);
    } else if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(
                   Call.getCallee()->IgnoreParens())) {
      Name = Qualified = Member->getMember().getAsString();
    }
    if (Name.empty())
      return;
    const Expr *Object = nullptr;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
      Object = Member->getImplicitObjectArgument();
    else if (isa<CXXOperatorCallExpr>(Call) && Call.getNumArgs() != 0)
      Object = Call.getArg(0);
    std::string On;
    if (Object)
      if (auto Text = Where.tokens(Object->getBeginLoc(), Object->getEndLoc()))
        On = Where.text(Text->File)
                 .slice(Text->Text.Begin, Text->Text.End)
                 .str();
    FoundLoop &L = Loops[static_cast<size_t>(Current)];
    L.Callees.push_back(Qualified);
    Role R = roleOf(Name, On);
    // One rule per role and callee: a rule matches every such call.
    if (R != Role::None && llvm::none_of(L.Calls, [&](const FoundCall &C) {
          return C.Callee == Qualified;
        }))
      L.Calls.push_back(
          {R, Qualified, Where.line(Where.expanded(Call.getBeginLoc()))});
  }

  const SourceManager &SM;
  const Places &Where;
  std::string In;
  unsigned Ordinal = 0;
  int Current = -1;
};

std::string rule(const FoundLoop &L, llvm::StringRef Kind,
                 llvm::StringRef Why) {
  return fmt::format("  # {}:{}: {}\n"
                     "  - {{ kind: {}, in: \"{}\", loop: {} }}\n",
                     L.File, L.Line, Why.str(), Kind.str(), L.In, L.Said);
}

/// The loop over epochs around the step loop at INDEX, or -1.
int epochsAround(const std::vector<FoundLoop> &Loops, size_t Index) {
  if (Loops[Index].Outer >= 0)
    return Loops[Index].Outer;
  for (size_t I = 0; I < Loops.size(); ++I)
    if (llvm::is_contained(Loops[I].Callees, Loops[Index].In))
      return static_cast<int>(I);
  return -1;
}

} // namespace

std::string suggestRules(ASTContext &Context, const Places &Where) {
  Collector C(Context, Where);
  C.TraverseDecl(Context.getTranslationUnitDecl());
  C.finish();
  auto HasStepInside = [&](size_t Index) {
    return llvm::any_of(C.Loops, [&](const FoundLoop &L) {
      return L.Outer == static_cast<int>(Index) && L.parts() > 1;
    });
  };
  std::string Text;
  std::vector<int> Epochs;
  for (size_t I = 0; I < C.Loops.size(); ++I) {
    const FoundLoop &L = C.Loops[I];
    if (L.parts() < 2 || HasStepInside(I) || L.Epochs)
      continue;
    int Outer = epochsAround(C.Loops, I);
    if (Outer >= 0 && !llvm::is_contained(Epochs, Outer)) {
      Epochs.push_back(Outer);
      Text += rule(C.Loops[static_cast<size_t>(Outer)], "epoch",
                   "the loop around the loop over batches");
    }
    Text += L.trains() ? rule(L, "train",
                              "a loop that goes backward or steps; add "
                              "samples: EXPRESSION if you can")
                       : rule(L, "valid",
                              "a loop that goes forward only; add "
                              "samples: EXPRESSION if you can");
    for (const FoundCall &Call : L.Calls) {
      std::string Target =
          fmt::format("in: \"{}\", call: \"{}\", all: true", L.In, Call.Callee);
      Text += Call.R == Role::Draw
                  ? fmt::format("  # {}:{}: gets the data\n"
                                "  - {{ kind: draw, {} }}\n",
                                L.File, Call.Line, Target)
                  : fmt::format("  # {}:{}: by its name\n"
                                "  - {{ kind: phase, name: {}, {} }}\n",
                                L.File, Call.Line, phaseName(Call.R), Target);
    }
    // An inner loop that does one part of the step is that phase as a whole.
    for (const FoundLoop &Inner : C.Loops)
      if (Inner.Outer == static_cast<int>(I) && Inner.Roles.size() == 1 &&
          Inner.parts() == 1)
        Text +=
            fmt::format("  # {}:{}: a loop over its parts\n"
                        "  - {{ kind: phase, name: {}, in: \"{}\", loop: "
                        "{} }}\n",
                        Inner.File, Inner.Line, phaseName(*Inner.Roles.begin()),
                        Inner.In, Inner.Said);
  }
  return Text;
}

} // namespace loopscope::instrument
