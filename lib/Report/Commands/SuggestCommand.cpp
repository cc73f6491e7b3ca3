// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The likeliest loop and its calls as rules, each with its reason.

#include "Report/Commands/SuggestCommand.h"

#include "Analysis/Samples/SampledProgram.h"
#include "Report/Commands/Output.h"
#include "Report/Commands/ProgramRun.h"
#include "Report/Commands/SampledRules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace loopscope;

namespace {
// Why there is no rule.
std::string reasonOf(const Run &R, const SampledProgram &Of) {
  if (R.Stacks.Samples.empty())
    return "has no samples; make the profile with `loopscope run -- PROGRAM`";
  if (Of.lacksMostSamples())
    return "most of its CPU time has no samples, so the loop that takes it "
           "isn't known; `loopscope report --view loops` says what is missing";
  if (!Of.HasLines && Of.Lost.contains(R.Program))
    return fmt::format("names no lines. {} Run it again",
                       fmt::join(notesOn(Of.Lost), " "));
  if (!Of.HasLines)
    return "names no lines, because the program has no debug information or "
           "libdw is missing; build it with -g and run it again";
  return "no loop was found around the calls that take the time; `loopscope "
         "report --view loops` shows them, and a rule for a function is "
         "`{ kind: phase, function: \"NAME\" }`";
}
} // namespace

int loopscope::runSuggest(const SuggestRequest &Request) {
  Result<Run> From = readProgramRun(Request.Files, Request.Options);
  if (!From)
    return fail(From.error().Message);
  SampledProgram Found = sampledProgram(*From);
  const LoopCandidate *Loop =
      Found.lacksMostSamples() ? nullptr : Found.likeliestLoop();
  if (Loop == nullptr)
    return fail(fmt::format("{}: {}", From->Path, reasonOf(*From, Found)));
  std::string Text = fmt::format(
      "# Guessed from {} samples of {}. Check that this is the training loop,\n"
      "# and rename the phases as you like.\n"
      "# Build with it: loopscope-launch --select=FILE c++ ...\n"
      "rules:\n{}",
      Found.Samples, From->Program,
      sampledRules(*Loop, Found.likeliestSelectable()));
  return writeOutput(Text, Request.OutputFile, Request.Files) ? Fine : Failure;
}
