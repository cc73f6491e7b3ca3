// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of `loopscope diff`, and what doesn't go together.

#include "DiffOptions.h"

#include "CommandOptions.h"

#include <algorithm>

using namespace loopscope;

namespace {
// Two files or directories can be compared, or two programs, but not both.
void refuseMixedSides(const CLI::App &Diff, const DiffRequest &Request) {
  const PairsRequest &Pairs = Request.Pairs;
  if (Pairs.IsWanted && (Pairs.Before.empty() || Pairs.After.empty()))
    throw CLI::ValidationError(
        "--", "give two programs to compare, like -- ./before -- ./after");
  if (Pairs.IsWanted && !Request.Before.empty())
    throw CLI::ValidationError(
        Request.Before,
        "give either files or directories, or programs after --");
  if (Pairs.IsWanted)
    return;
  for (const char *Name : {"--runs", "--warmup", "--keep", "--environment"})
    if (Diff.count(Name) != 0)
      throw CLI::ValidationError(
          Name, "needs programs to run, like -- ./before -- ./after; a "
                "directory of profiles needs no option");
  for (auto [Name, Path] : {std::pair("BEFORE", &Request.Before),
                            std::pair("AFTER", &Request.After)})
    if (Path->empty())
      throw CLI::RequiredError(Name);
}
} // namespace

PairsRequest loopscope::takePrograms(std::vector<std::string> &Words) {
  PairsRequest Result;
  auto First = std::find(Words.begin(), Words.end(), "--");
  if (Words.front() != "diff" || First == Words.end())
    return Result;
  auto Second = std::find(First + 1, Words.end(), "--");
  Result.Before.assign(First + 1, Second);
  if (Second != Words.end())
    Result.After.assign(Second + 1, Words.end());
  Words.erase(First, Words.end());
  Result.IsWanted = true;
  return Result;
}

void loopscope::addDiff(CLI::App &Main, DiffRequest &Request, int &Code) {
  CLI::App *Diff =
      Main.add_subcommand("diff", "Compare two runs, action by action");
  Diff->footer(R"(
Examples:
  loopscope diff before.loopscope after.loopscope
      What changed, the largest change of total time first.
  loopscope diff --runs 10 -- ./before --epochs 2 -- ./after --epochs 2
      Runs both programs 10 times, in turn, and tells a change from the usual
      variation between runs.
  loopscope diff main/ pr/ --format markdown --fail-over 5
      Every profile in a directory is a run of that side. For a pull request;
      exits with 1 if an action got 5% slower.
  loopscope diff before.loopscope after.loopscope --open
      Both sides on one page, in the browser.
)");
  // Not required if programs are compared.
  Diff->add_option("BEFORE", Request.Before,
                   "A profile, a trace or a directory of them; or the two "
                   "programs to run, each after --");
  Diff->add_option("AFTER", Request.After,
                   "The same, to compare with the first");
  Diff->add_option("--runs", Request.Pairs.Runs,
                   "Run each program this often (default 10)")
      ->check(CLI::Range(size_t{2}, size_t{100000}))
      ->type_name("N");
  Diff->add_option(
          "--warmup", Request.Pairs.Warmup,
          "Warm-up runs of each program, which don't count (default 1)")
      ->check(CLI::Range(size_t{0}, size_t{100000}))
      ->type_name("N");
  Diff->add_option("-e,--environment", Request.Pairs.Environment,
                   "Value of LOOPSCOPE for the programs")
      ->type_name("OPTIONS");
  Diff->add_option("--keep", Request.Pairs.KeepDirectory,
                   "Keep the profiles of the programs' runs here")
      ->type_name("DIRECTORY");
  Diff->add_option_function<std::string>(
          "--least-share",
          [&Request](const std::string &Word) {
            Request.LeastShare = parsePercent("--least-share", Word) / 100;
          },
          "Don't judge actions that take less of their stage's time (default "
          "1%)")
      ->type_name("PERCENT");
  static const std::vector<std::pair<std::string, Format>> Formats = {
      {"text", Format::Text},
      {"markdown", Format::Markdown},
      {"csv", Format::Csv},
      {"json", Format::Json},
      {"html", Format::Html}};
  addChoice(*Diff, "--format", Formats, Request.Options.Output,
            "How to write it (default text)");
  addBare(*Diff, Request.Options);
  static const std::vector<std::pair<std::string, Grouping>> Groups = {
      {"name", Grouping::Own}, {"key", Grouping::Key}};
  addChoice(*Diff, "--by", Groups, Request.Options.By,
            "Compare phases, or each key of phases that have keys (default "
            "name)");
  Diff->add_flag("!--no-keys", Request.Options.NumbersAreKeys,
                 "traces: keep names apart that differ by a number alone, such "
                 "as layer.0 and layer.1");
  Diff->add_flag("--stats", Request.Options.Stats,
                 "Show CPU time, time off it, page faults and switches "
                 "before and after, as csv and json do");
  Diff->add_option("-o,--output", Request.OutputFile,
                   "Write to FILE instead of standard output, which is -")
      ->type_name("FILE");
  addPage(*Diff, Request.Options, Request.Open);
  addTextOptions(*Diff, Request.Text);
  Diff->add_option_function<std::string>(
          "--fail-over",
          [&Request](const std::string &Word) {
            Request.FailOver = parsePercent("--fail-over", Word);
          },
          "Exit with 1 if an action's mean grew significantly, by more than "
          "this: 5 or 5%")
      ->type_name("PERCENT");
  Diff->callback([&, Diff] {
    refuseForFormat(Request.Options, Request.Open);
    refuseMixedSides(*Diff, Request);
    Code = runDiff(Request);
  });
}
