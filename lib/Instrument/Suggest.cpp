//===- Suggest.cpp - A selection file for a program without annotations ---===//

#include "Suggest.h"

#include "TrainingLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <fmt/format.h>

using namespace clang;

namespace loopscope::instrument {
namespace {

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
  case Role::Draw:
    return "the draw";
  case Role::Step:
    return "a whole step";
  case Role::None:
  case Role::Update:
    break;
  }
  return "";
}

/// A name without its scope, which for a callee in a template isn't known.
llvm::StringRef plainName(llvm::StringRef Name) {
  size_t Scope = Name.rfind("::");
  return Scope == llvm::StringRef::npos ? Name : Name.drop_front(Scope + 2);
}

/// Whether a call of CALLEE may be one of FUNCTION.
bool mayCall(llvm::StringRef Callee, llvm::StringRef Function) {
  return Callee == Function || Callee == plainName(Function);
}

class Suggestion {
public:
  explicit Suggestion(std::vector<FoundScope> Found)
      : Scopes(std::move(Found)) {
    for (size_t I = 0; I < Scopes.size(); ++I)
      for (const std::string &Callee : Scopes[I].Callees)
        Callers[plainName(Callee)].push_back(I);
  }

  std::string text() {
    for (size_t I = 0; I < Scopes.size(); ++I)
      if (Scopes[I].IsLoop ? isStepLoop(I) : isStepFunction(Scopes[I]))
        suggest(I);
    return std::move(Text);
  }

private:
  const FoundScope &at(int Index) const {
    return Scopes[static_cast<size_t>(Index)];
  }

  bool isStepLoop(size_t Index) const {
    const FoundScope &L = Scopes[Index];
    return L.holdsStep() && !L.Epochs &&
           llvm::none_of(Scopes, [&](const FoundScope &Inner) {
             return Inner.Outer == static_cast<int>(Index) && Inner.holdsStep();
           });
  }

  /// A function that does a whole step. Tests of gradients and the like go
  /// forward and backward too, but don't change the weights.
  static bool isStepFunction(const FoundScope &F) {
    return F.Roles.count(Role::Backward) && F.Roles.count(Role::OptStep);
  }

  /// The nearest loop that calls FUNCTION, perhaps through other functions, or
  /// -1.
  int loopThatCalls(llvm::StringRef Function) const {
    std::vector<llvm::StringRef> Reached = {Function};
    for (size_t Next = 0; Next < Reached.size(); ++Next) {
      llvm::StringRef Called = Reached[Next];
      for (size_t I : Callers.lookup(plainName(Called))) {
        const FoundScope &S = Scopes[I];
        if (llvm::is_contained(Reached, S.In) ||
            llvm::none_of(S.Callees, [&](const std::string &Callee) {
              return mayCall(Callee, Called);
            }))
          continue;
        if (S.IsLoop)
          return static_cast<int>(I);
        Reached.push_back(S.In);
      }
    }
    return -1;
  }

  /// The rules for the step that SCOPE holds.
  void suggest(size_t Index) {
    const FoundScope &S = Scopes[Index];
    int Loop = S.IsLoop ? static_cast<int>(Index) : loopThatCalls(S.In);
    // A step without a loop is in another file; one within a step is a part.
    if (Loop < 0 || (!S.IsLoop && at(Loop).parts() > 1))
      return;
    int Epochs =
        at(Loop).Outer >= 0 ? at(Loop).Outer : loopThatCalls(at(Loop).In);
    if (Epochs >= 0)
      ruleOf(Epochs, "epoch", "the loop around the loop over batches");
    if (S.trains())
      ruleOf(Loop, "train",
             "a loop that goes backward or steps; add samples: EXPRESSION if "
             "you can");
    else
      ruleOf(Loop, "valid", ForwardOnly);
    for (const FoundCall &Call : S.Calls)
      ruleOf(S, Call);
    if (S.IsLoop)
      for (size_t I = Index + 1; I < Scopes.size(); ++I)
        if (Scopes[I].Outer == static_cast<int>(Index))
          suggestInner(S, I);
  }

  /// The rules for a loop in the body of STEP, which is a loop too.
  void suggestInner(const FoundScope &Step, size_t Index) {
    const FoundScope &Inner = Scopes[Index];
    if (Inner.Roles.count(Role::Draw) && Inner.parts() != 0 &&
        !Inner.trains()) {
      ruleOf(static_cast<int>(Index), "valid", ForwardOnly);
      for (const FoundCall &Call : Inner.Calls)
        ruleOf(Inner, Call);
      return;
    }
    // One part of the step as a whole, unless its calls are phases already.
    bool Covered = llvm::all_of(Inner.Calls, [&](const FoundCall &C) {
      return llvm::any_of(Step.Calls, [&](const FoundCall &Outer) {
        return Outer.Callee == C.Callee;
      });
    });
    if (Inner.Roles.size() != 1 || Inner.parts() != 1 ||
        (Covered && !Inner.Calls.empty()))
      return;
    add(fmt::format("kind: phase, name: {}, in: \"{}\", loop: {}",
                    phaseName(*Inner.Roles.begin()), Inner.In, Inner.Said),
        Inner.File, Inner.Line, "a loop over its parts");
  }

  void ruleOf(int Loop, const char *Kind, const char *Why) {
    const FoundScope &L = at(Loop);
    add(fmt::format("kind: {}, in: \"{}\", loop: {}", Kind, L.In, L.Said),
        L.File, L.Line, Why);
  }

  void ruleOf(const FoundScope &In, const FoundCall &Call) {
    if (Call.R == Role::Step) // its parts are phases, not the whole
      return;
    std::string Why = Call.R == Role::Draw ? "gets the data" : "by its name";
    if (!Call.Inner.empty())
      Why += fmt::format("; {} is in the same statement: split it to time both",
                         phaseName(Call.Inner.front()));
    std::string Kind = Call.R == Role::Draw
                           ? "draw"
                           : fmt::format("phase, name: {}", phaseName(Call.R));
    add(fmt::format("kind: {}, in: \"{}\", call: \"{}\", all: true", Kind,
                    In.In, Call.Callee),
        In.File, Call.Line, Why);
  }

  /// Adds a rule, once.
  void add(const std::string &Rule, const std::string &File, unsigned Line,
           const std::string &Why) {
    if (llvm::is_contained(Said, Rule))
      return;
    Said.push_back(Rule);
    Text += fmt::format("  # {}:{}: {}\n  - {{ {} }}\n", File, Line, Why, Rule);
  }

  static constexpr const char *ForwardOnly =
      "a loop that goes forward only; add samples: EXPRESSION if you can";

  std::vector<FoundScope> Scopes;
  /// The scopes that call something of a plain name.
  llvm::StringMap<std::vector<size_t>> Callers;
  std::vector<std::string> Said;
  std::string Text;
};

} // namespace

std::string suggestRules(ASTContext &Context, const Places &Where) {
  return Suggestion(findTrainingScopes(Context, Where)).text();
}

} // namespace loopscope::instrument
