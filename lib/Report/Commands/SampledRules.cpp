// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which statements or functions stand for the calls that samples show.

#include "Report/Commands/SampledRules.h"

#include "Support/Printable.h"
#include "Symbols/Demangle.h"

#include <fmt/format.h>

#include <map>

using namespace loopscope;

namespace {
// Calls with a smaller share of the loop's samples, in percent, get no rule.
constexpr double LeastOfLoop = 0.5;
// The same for the system's functions: many are shorter than a hook.
constexpr double LeastOfSystem = 10;

// A constructor's or destructor's name: no statement calls these by name.
bool isConstructor(const std::string &Function) {
  std::string Plain = plainName(Function);
  std::string Class = withoutArguments(Function);
  Class.resize(Class.size() - Plain.size());
  return Plain.starts_with('~') || Class == Plain + "::" ||
         Class.ends_with("::" + Plain + "::");
}

// What a rule for PART selects in the next build.
enum class Target {
  Call,     // the statements that call it
  Function, // its definition
  None      // neither is possible
};

Target targetOf(const LoopPart &Part) {
  const CallInSource &Found = Part.Source;
  bool IsNamed = !Found.Name.empty() && !Found.IsInHead;
  // A call that goes on over several lines may have its name on another one.
  bool IsCall = IsNamed || (!Found.HasCalls && !Part.IsSystem);
  if (IsCall && !Part.IsVirtual && !isConstructor(Part.Function))
    return Target::Call;
  return Part.HasDefinition ? Target::Function : Target::None;
}

// The rule for a part, without its braces; COUNT calls of it have samples.
std::string ruleOf(const LoopPart &Part, const LoopCandidate &Of, int Count) {
  std::string Name = withoutArguments(Part.Function);
  if (targetOf(Part) == Target::Function)
    return fmt::format("kind: phase, name: {0}, function: {0}",
                       doubleQuoted(Name));
  const std::string &In = Of.PartsIn.empty() ? Of.Function : Of.PartsIn;
  // What a template calls may have no class yet, and the standard library's
  // namespaces differ.
  bool IsPlain = Part.IsSystem || withoutArguments(In) != In;
  return fmt::format("kind: phase, name: {}, in: {}, call: {}{}",
                     doubleQuoted(Name), doubleQuoted(withoutArguments(In)),
                     doubleQuoted(IsPlain ? plainName(Name) : Name),
                     Count > 1 || Part.Source.HasOthers ? ", all: true" : "");
}
} // namespace

std::string loopscope::sampledRules(const LoopCandidate &Of) {
  std::string Text =
      fmt::format("  # {}:{}: {:.1f}% of all samples\n"
                  "  - {{ kind: train, in: {}, loop: {} }}\n",
                  Of.File, Of.First, Of.OfRun.Percent,
                  doubleQuoted(withoutArguments(Of.Function)), Of.Number);
  for (const OuterLoop &Each : Of.Outer)
    Text += fmt::format("  # around it: loop {}, line {}\n", Each.Number,
                        Each.First);
  std::map<std::string, int> Calls;
  for (const LoopPart &Each : Of.Parts)
    ++Calls[Each.Function];
  for (const LoopPart &Each : Of.Parts) {
    int &Count = Calls[Each.Function];
    if (Each.Function.empty() || Count == 0 ||
        Each.OfLoop.Percent < (Each.IsSystem ? LeastOfSystem : LeastOfLoop))
      continue;
    Text += fmt::format(
        "  # line {}: {:.1f}% of the loop's samples, {:.1f} to {:.1f}%\n",
        Each.Line, Each.OfLoop.Percent, Each.OfLoop.Low, Each.OfLoop.High);
    Text +=
        targetOf(Each) == Target::None
            ? fmt::format("  # no rule can select {}: no statement calls it "
                          "by its name, and its definition is the "
                          "system's or from a macro\n",
                          withoutArguments(Each.Function))
            : fmt::format("  - {{ {} }}\n", ruleOf(Each, Of, Count));
    Count = 0; // one rule selects all of them
  }
  return Text;
}
