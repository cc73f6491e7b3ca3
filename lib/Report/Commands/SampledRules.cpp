// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which statements or functions stand for the calls that samples show.

#include "Report/Commands/SampledRules.h"

#include "Run/Model/KnownNames.h"
#include "Support/Paths.h"
#include "Support/Printable.h"
#include "Support/TrainingNames.h"
#include "Symbols/Demangle.h"

#include <fmt/format.h>

#include <map>

using namespace loopscope;

namespace {
// Calls with a smaller share of the loop's samples, in percent, get no rule.
constexpr double LeastOfLoop = 0.5;
// The same for the system's functions, for small ones, and for those whose
// names say that they only give a value: many are shorter than a hook.
constexpr double LeastOfSmall = 10;

// A constructor's or destructor's name: no statement calls these by name.
bool isConstructor(const std::string &Function) {
  std::string Plain = plainName(Function);
  std::string Class = withoutArguments(Function);
  Class.resize(Class.size() - Plain.size());
  return Plain.starts_with('~') || Class == Plain + "::" ||
         Class.ends_with("::" + Plain + "::");
}

// What a rule for PART selects in the next build.
enum class Selects {
  Call,     // the statements that call it
  Function, // its definition
  None      // neither is possible
};

Selects targetOf(const LoopPart &Part) {
  const CallInSource &Found = Part.Source;
  bool IsNamed = !Found.Name.empty() && !Found.IsInHead;
  // A call that goes on over several lines may have its name on another one.
  bool IsCall = IsNamed || (!Found.HasCalls && !Part.IsSystem);
  bool IsNameless =
      isConstructor(Part.Function) || plainName(Part.Function) == "operator()";
  if (IsCall && !Part.IsVirtual && !IsNameless)
    return Selects::Call;
  return Part.HasDefinition ? Selects::Function : Selects::None;
}

// The same for those whose rule selects their definition, because no statement
// calls them by their name: it counts all calls, also those from elsewhere.
constexpr double LeastOfEverywhere = 5;

double leastOf(const LoopPart &Part) {
  if (Part.IsSystem || Part.IsSmall ||
      isNeverWorthAMark(plainName(Part.Function)))
    return LeastOfSmall;
  bool IsEverywhere = targetOf(Part) == Selects::Function && !Part.IsVirtual;
  return IsEverywhere || isConstructor(Part.Function) ? LeastOfEverywhere
                                                      : LeastOfLoop;
}

// Tells FUNCTION of FILE from namesakes: a build may make several programs,
// each with a main.
std::string fileOf(const std::string &Function, const std::string &File) {
  return Function == "main"
             ? fmt::format(", file: {}",
                           doubleQuoted(fmt::format("*/{}", fileName(File))))
             : "";
}

// The rule for a loop that one can select.
std::string loopRule(const LoopCandidate &Of) {
  return fmt::format("  - {{ kind: train, in: {}{}, loop: {}{} }}\n",
                     doubleQuoted(withoutArguments(Of.Function)),
                     fileOf(Of.Function, Of.File),
                     Of.Number != 0 ? std::to_string(Of.Number) : Of.Variable,
                     Of.HasOverloads ? ", all: true" : "");
}

std::string shareLine(const LoopPart &Of) {
  const SampleShare &Share = Of.OfLoop;
  return fmt::format("  # line {}: {:.1f}% of the loop's samples{}\n", Of.Line,
                     Share.Percent,
                     Share.HasInterval ? fmt::format(", {:.1f} to {:.1f}%",
                                                     Share.Low, Share.High)
                                       : "");
}

// The rule for a part, without its braces; COUNT calls of it have samples.
std::string ruleOf(const LoopPart &Part, const LoopCandidate &Of, int Count) {
  std::string Name = withoutArguments(Part.Function);
  if (targetOf(Part) == Selects::Function)
    return fmt::format("kind: phase, name: {0}, function: {0}{1}",
                       doubleQuoted(Name),
                       Part.HasOverloads ? ", all: true" : "");
  const std::string &In = Of.PartsIn.empty() ? Of.Function : Of.PartsIn;
  // What a template calls may have no class yet, and the standard library's
  // namespaces differ.
  bool IsPlain = Part.IsSystem || withoutArguments(In) != In;
  return fmt::format(
      "kind: phase, name: {}, in: {}{}, call: {}{}", doubleQuoted(Name),
      doubleQuoted(withoutArguments(In)), fileOf(In, Of.File),
      doubleQuoted(IsPlain ? plainName(Name) : Name),
      Count > 1 || Part.Source.HasOthers || Of.HasOverloads ? ", all: true"
                                                            : "");
}
} // namespace

std::string loopscope::sampledRules(const LoopCandidate &Of,
                                    const LoopCandidate *Instead) {
  std::string Text = fmt::format("  # {}:{}: {:.1f}% of all samples\n", Of.File,
                                 Of.First, Of.OfRun.Percent);
  if (isSelectable(Of))
    Text += loopRule(Of);
  else
    Text += fmt::format("  # no rule can select this loop: {}\n",
                        Of.HasPragma ? "no hook fits between a pragma and the "
                                       "loop after it"
                                     : "macros before it make loops, and no "
                                       "variable is its own");
  for (const OuterLoop &Each : Of.Outer)
    Text +=
        Each.Number != 0
            ? fmt::format("  # around it: loop {}, line {}\n", Each.Number,
                          Each.First)
            : fmt::format("  # around it: the loop at line {}\n", Each.First);
  if (!isSelectable(Of) && Instead != nullptr)
    Text += fmt::format("  # instead, {}:{}: {:.1f}% of all samples\n",
                        Instead->File, Instead->First, Instead->OfRun.Percent) +
            loopRule(*Instead);
  std::map<std::string, int> Calls;
  for (const LoopPart &Each : Of.Parts)
    ++Calls[Each.Function];
  for (const LoopPart &Each : Of.Parts) {
    int &Count = Calls[Each.Function];
    if (Each.Function.empty() || Count == 0 ||
        Each.OfLoop.Percent < leastOf(Each))
      continue;
    Text += shareLine(Each);
    // A mark would count those twice.
    if (siteUse(Each.Function) == SiteUse::Mpi)
      Text += fmt::format("  # {} is measured without a rule\n", Each.Function);
    else if (targetOf(Each) == Selects::None)
      Text += fmt::format("  # no rule can select {}: no statement calls it by "
                          "its name, and its definition is the system's or "
                          "from a macro\n",
                          withoutArguments(Each.Function));
    else
      Text += fmt::format("  - {{ {} }}\n", ruleOf(Each, Of, Count));
    Count = 0; // one rule selects all of them
  }
  return Text;
}
