// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks suggested rules on the files that they are for.

#include "Instrument/Outcome.h"
#include "Instrument/Suggest/Suggest.h"
#include "Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace loopscope::instrument {
namespace {

std::string rulesText(const std::vector<Suggested> &Rules) {
  std::string Text = "rules:\n";
  for (const Suggested &S : Rules) {
    Text += fmt::format("  # {}:{}: {}\n", S.File, S.Line, S.Why);
    if (!S.Yaml.empty())
      Text += fmt::format("  - {{ {} }}\n", S.Yaml);
  }
  return Text;
}

/// Tries RULES on the files, and turns those that --select would refuse or that
/// match nothing into remarks.
void dropRefused(const std::vector<Job> &Jobs, const Options &O,
                 std::vector<Suggested> &Rules) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    std::vector<size_t> Index;
    for (size_t I = 0; I < Rules.size(); ++I)
      if (!Rules[I].Yaml.empty())
        Index.push_back(I);
    Selection Select;
    std::string Ignored;
    llvm::raw_string_ostream Nowhere(Ignored);
    if (Index.empty() ||
        !parseSelection(rulesText(Rules), "suggestion", Select, Nowhere))
      return;
    Options Trial = O;
    Trial.Out = Output::List;
    Trial.Select = &Select;
    Outcome Tried = runJobs(Jobs, Trial);
    for (unsigned R = 0; R < Index.size(); ++R) {
      bool Refused = Tried.RefusedRules.contains(R);
      if (!Refused && !Tried.Matches[R].empty())
        continue;
      Suggested &S = Rules[Index[R]];
      S.Why += Refused ? "; but no hook fits there: " + S.Yaml
                       : "; but no rule reaches it: " + S.Yaml;
      S.Yaml.clear();
      Changed = true;
    }
  }
}

/// Why there is no rule, and what to do, in one line.
std::string whyNone(const std::vector<Suggested> &Remarks) {
  if (Remarks.empty())
    return "nothing in these files looks like a training loop; give --suggest "
           "the files that train, or mark the loop with an attribute "
           "(docs/annotations.md); nothing was written";
  const Suggested &First = Remarks.front();
  return fmt::format("{}:{} may be a training loop, but no rule can mark it "
                     "({}); mark it with an attribute (docs/annotations.md); "
                     "nothing was written",
                     First.File, First.Line, First.Why);
}

} // namespace

bool printSuggestion(std::vector<SeenBody> Bodies, const std::vector<Job> &Jobs,
                     const Options &O, llvm::raw_ostream &Out,
                     llvm::raw_ostream &Err) {
  std::vector<Suggested> Rules = suggestRules(std::move(Bodies));
  dropRefused(Jobs, O, Rules);
  if (llvm::all_of(Rules, [](const Suggested &S) { return S.Yaml.empty(); })) {
    printError(Err, whyNone(Rules));
    return false;
  }
  std::string Text =
      "# Loopscope's guess from names, loops and the order of calls. Check "
      "every rule,\n# then: loopscope-rewrite --select THIS-FILE ...\n" +
      rulesText(Rules);
  if (O.OutputPath.empty()) {
    Out << Text;
    return true;
  }
  Result<Written> Done = writeOutputFile(O.OutputPath, Text);
  if (!Done)
    printError(Err, Done.error().Message);
  return bool(Done);
}

} // namespace loopscope::instrument
