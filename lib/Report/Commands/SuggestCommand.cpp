// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The likeliest loop and its calls as rules, each with its reason.

#include "Report/Commands/SuggestCommand.h"

#include "Analysis/Samples/SampledProgram.h"
#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <map>

using namespace loopscope;

namespace {
// Calls with a smaller share of the loop's samples, in percent, get no rule.
constexpr double LeastOfLoop = 0.5;

// The rules for a loop that is known by its lines.
std::string rulesOf(const LoopCandidate &Of) {
  std::string Text = fmt::format("  # {}:{}: {:.1f}% of all samples\n"
                                 "  - {{ kind: train, in: {}, loop: {} }}\n",
                                 Of.File, Of.First, Of.OfRun.Percent,
                                 doubleQuoted(Of.Function), Of.Number);
  std::map<std::string, int> Calls;
  for (const LoopPart &Each : Of.Parts)
    ++Calls[Each.Function];
  for (const LoopPart &Each : Of.Parts) {
    int &Count = Calls[Each.Function];
    if (Each.Function.empty() || Count == 0 ||
        Each.OfLoop.Percent < LeastOfLoop)
      continue;
    Text += fmt::format(
        "  # line {}: {:.1f}% of the loop's samples, {:.1f} to {:.1f}%\n"
        "  - {{ kind: phase, name: {}, in: {}, call: {}{} }}\n",
        Each.Line, Each.OfLoop.Percent, Each.OfLoop.Low, Each.OfLoop.High,
        doubleQuoted(Each.Function),
        doubleQuoted(Of.PartsIn.empty() ? Of.Function : Of.PartsIn),
        doubleQuoted(Each.Function), Count > 1 ? ", all: true" : "");
    Count = 0; // one rule selects all of them
  }
  return Text;
}

// Why there is no rule.
std::string reasonOf(const Run &P, const SampledProgram &Of) {
  if (P.Stacks.Samples.empty())
    return "has no samples; make the profile with `loopscope run -- PROGRAM`";
  if (!Of.HasLines)
    return "names no lines, because the program has no debug information or "
           "libdw is missing; build it with -g and run it again";
  return "no loop was found around the calls that take the time; `loopscope "
         "report --view loops` shows them, and a rule for a function is "
         "`{ kind: phase, function: \"NAME\" }`";
}
} // namespace

int loopscope::runSuggest(const SuggestRequest &Request) {
  Result<Run> From = readInput(Request.File, Request.Options);
  if (!From) {
    printError(From.error().Message);
    return Failure;
  }
  SampledProgram Found = sampledProgram(*From);
  const LoopCandidate *Loop = Found.likeliestLoop();
  if (Loop == nullptr) {
    printError(fmt::format("{}: {}", Request.File, reasonOf(*From, Found)));
    return Failure;
  }
  std::string Text = fmt::format(
      "# Guessed from {} samples of {}. Check that this is the training loop,\n"
      "# and rename the phases as you like.\n"
      "# Build with it: loopscope-launch --select=FILE c++ ...\n"
      "rules:\n{}",
      Found.Samples, From->Program, rulesOf(*Loop));
  return writeOutput(Text, Request.OutputFile, {Request.File}) ? Fine : Failure;
}
