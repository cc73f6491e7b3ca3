// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites files.
//
// Takes each job through the stages find, refuse, plan and write, and sums up
// the results of all files.

#include "Instrument/Instrument.h"

#include "Instrument/FindMarks.h"
#include "Instrument/Outcome.h"
#include "Instrument/Output.h"
#include "Instrument/Write/Dump.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ThreadPool.h"

#include <fmt/format.h>

using namespace llvm;

namespace loopscope::instrument {

static std::string dump(const ParseResult &R, const Job &J, const Options &O) {
  if (O.Show == Dump::Marks)
    return dumpMarks(R, O.Select);
  std::vector<PlannedFile> Plan = planFiles(R, mirrorLayout(O, J.Directory));
  return O.Show == Dump::Sites ? dumpSites(R, Plan) : dumpEdits(R, Plan);
}

static Outcome runJob(const Job &J, const Options &O) {
  Outcome Done;
  raw_string_ostream Out(Done.Out), Err(Done.Err);
  std::string Path = sourcePath(J);
  if (!sys::fs::is_regular_file(Path)) {
    printError(Err, "cannot read '" + J.File + "': no such file");
    Done.Good = false;
    return Done;
  }
  JobWriter Writer(J, Path, O, Out, Err);
  if (O.Out == Output::File && !O.Select && !O.Functions && isPlain(J, Path)) {
    Done.Good = O.Show != Dump::None || Writer.writeUnchanged();
    return Done;
  }
  ParseResult R = findMarks(J, O, Err);
  Done.Good = !R.Failed && R.Errors == 0 && R.Refused == 0;
  if (O.Show != Dump::None) {
    Out << dump(R, J, O);
    Done.Good |= O.Passthrough;
  } else if (O.Out == Output::Suggest)
    Done.Good = !R.Failed;
  else if (Done.Good || O.Passthrough) {
    std::vector<PlannedFile> Plan = planFiles(R, mirrorLayout(O, J.Directory));
    if (O.Out == Output::List)
      for (const PlannedFile &Each : Plan)
        append_range(Done.Rows, listSites(Each));
    Done.Good =
        Writer.write(R, Plan, ruleOutcomes(O.Select, R.Matches, R.Hints));
  }
  Done.Functions = std::move(R.Functions);
  Done.Bodies = std::move(R.Bodies);
  Done.Matches = std::move(R.Matches);
  Done.Hints = std::move(R.Hints);
  Done.RefusedRules = std::move(R.RefusedRules);
  return Done;
}

void Outcome::add(Outcome More) {
  Good &= More.Good;
  Out += More.Out;
  Err += More.Err;
  append_range(Rows, More.Rows);
  append_range(Functions, More.Functions);
  std::move(More.Bodies.begin(), More.Bodies.end(), std::back_inserter(Bodies));
  for (const auto &[Index, Places] : More.Matches)
    Matches[Index].insert(Places.begin(), Places.end());
  for (const auto &[Index, Hint] : More.Hints) {
    auto [Known, New] = Hints.try_emplace(Index, Hint);
    if (!New && Hint.Distance < Known->second.Distance)
      Known->second = Hint;
  }
  RefusedRules.insert(More.RefusedRules.begin(), More.RefusedRules.end());
}

Outcome runJobs(const std::vector<Job> &Jobs, const Options &O) {
  std::vector<Outcome> Parts(Jobs.size());
  {
    DefaultThreadPool Pool(hardware_concurrency(O.Threads));
    for (size_t I = 0; I < Jobs.size(); ++I)
      Pool.async([&, I] { Parts[I] = runJob(Jobs[I], O); });
  }
  Outcome All;
  for (Outcome &Each : Parts)
    All.add(std::move(Each));
  return All;
}

std::vector<launch::RuleOutcome> ruleOutcomes(const Selection *Select,
                                              const RuleMatches &Matches,
                                              const RuleHints &Hints) {
  std::vector<launch::RuleOutcome> All;
  if (!Select)
    return All;
  for (unsigned I = 0; I < Select->Rules.size(); ++I) {
    const Rule &R = Select->Rules[I];
    const Pattern &Target = R.Function.empty() ? R.Call : R.Function;
    std::string What =
        !R.Loop.empty() ? "loop '" + R.Loop + "' in '" + R.In.text() + "'"
        : R.Function.empty()
            ? "call '" + R.Call.text() + "'" +
                  (R.In.isPlain() ? " in '" + R.In.text() + "'" : "")
            : "function '" + R.Function.text() + "'";
    auto Places = Matches.find(I);
    auto Hint = Hints.find(I);
    bool Matched = Places != Matches.end() && !Places->second.empty();
    All.push_back(
        {fmt::format("{}:{}:{}", Select->Path, R.Line, R.Column), What,
         !R.All && (!R.Loop.empty() || Target.isPlain()),
         Matched ? Places->second : std::set<std::string>(),
         !Matched && Hint != Hints.end() ? Hint->second : launch::RuleHint()});
  }
  return All;
}

void printError(raw_ostream &Err, const Twine &Text) {
  Err << "loopscope-rewrite: error: " << Text << '\n';
}

void printWarning(raw_ostream &Err, const Twine &Text) {
  Err << "loopscope-rewrite: warning: " << Text << '\n';
}

bool instrument(const std::vector<Job> &Jobs, const Options &O,
                raw_ostream &Out, raw_ostream &Err) {
  Outcome All = runJobs(Jobs, O);
  Out << All.Out;
  Err << All.Err;
  if (O.Out == Output::Suggest) {
    bool Printed = printSuggestion(std::move(All.Bodies), Jobs, O, Out, Err);
    return All.Good && Printed;
  }
  if (O.Out == Output::List)
    Out << listTable(All.Rows);
  // A manifest covers one file of a build: its reader knows more about the
  // rules.
  if (O.ManifestPath.empty())
    Err << launch::ruleWarnings(ruleOutcomes(O.Select, All.Matches, All.Hints));
  if (O.Summary) {
    launch::Summary Sum;
    Sum.add(All.Functions);
    Err << Sum.text();
  }
  return All.Good;
}

} // namespace loopscope::instrument
