//===- Suggest.cpp - A selection file for a program without annotations ---===//

#include "Suggest.h"

#include "TrainingLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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
  case Role::None:
  case Role::Step:
  case Role::Update:
    break;
  }
  return "";
}

/// Whether a call of CALLEE may be one of FUNCTION; in templates the scope of a
/// callee isn't known.
bool mayCall(llvm::StringRef Callee, llvm::StringRef Function) {
  return Callee == Function ||
         (Function.ends_with(Callee) &&
          Function.drop_back(Callee.size()).ends_with("::"));
}

class Suggestion {
public:
  explicit Suggestion(std::vector<FoundScope> Scopes)
      : Scopes(std::move(Scopes)) {}

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
  int loopThatCalls(llvm::StringRef Function,
                    std::vector<llvm::StringRef> Passed = {}) const {
    Passed.push_back(Function);
    for (bool Loops : {true, false})
      for (size_t I = 0; I < Scopes.size(); ++I) {
        const FoundScope &S = Scopes[I];
        if (S.IsLoop != Loops || llvm::is_contained(Passed, S.In) ||
            llvm::none_of(S.Callees, [&](const std::string &Callee) {
              return mayCall(Callee, Function);
            }))
          continue;
        int Found = Loops ? static_cast<int>(I) : loopThatCalls(S.In, Passed);
        if (Found >= 0)
          return Found;
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
      Why += fmt::format(
          "; holds {} too, which is a phase of its own in a statement of its "
          "own",
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
  std::vector<std::string> Said;
  std::string Text;
};

} // namespace

std::string suggestRules(ASTContext &Context, const Places &Where) {
  return Suggestion(findTrainingScopes(Context, Where)).text();
}

} // namespace loopscope::instrument
