// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loopscope: reports on profiles. Parses the command line, calls the library,
// maps the result to an exit code.

#include "Report/Commands/DiffCommand.h"
#include "Report/Commands/ExportCommand.h"
#include "Report/Commands/Output.h"
#include "Report/Commands/ReportCommand.h"
#include "Report/Commands/RunCommand.h"
#include "Report/Commands/WatchCommand.h"
#include "Report/Print/Printers.h"
#include "Report/Views/View.h"
#include "Support/Suggest.h"

#include <loopscope/profile_format.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

using namespace loopscope;

namespace {
const char *const Examples = R"(
Examples:
  loopscope report train.4711.loopscope
      The simple view: one row per phase, one table per stage.
  loopscope report train.4711.loopscope --view throughput
      Samples per second, and what waiting for data costs.
  loopscope report train.4711.loopscope --view timeline --rows 20
      The last 20 steps as bars; the run needs LOOPSCOPE=trace.
  loopscope report train.*.loopscope --merge --view tree
      All ranks as one call-path tree.
  loopscope report train.4711.loopscope --format csv -o phases.csv
      The same numbers for a spreadsheet, in seconds.
)";

// The keys of a list of (name, value) pairs, as "a, b or c".
template <typename Pairs> std::string listed(const Pairs &Names) {
  std::string Result;
  for (size_t I = 0; I < Names.size(); ++I)
    Result += (I == 0                  ? ""
               : I + 1 == Names.size() ? " or "
                                       : ", ") +
              Names[I].first;
  return Result;
}

// "did you mean 'tree'?", or OTHERWISE where WORD is near none of NAMES.
template <typename Pairs>
std::string suggestionOr(const std::string &Otherwise, const std::string &Word,
                         const Pairs &Names) {
  std::vector<std::string> Known;
  for (const auto &Each : Names)
    Known.push_back(Each.first);
  std::string Near = suggestionFor(Word, Known);
  return Near.empty() ? Otherwise : Near;
}

// The views with what they show, for the end of a help text.
std::string describedViews() {
  std::string Result = "\nViews:\n";
  for (const View *Each : allViews())
    Result += fmt::format("  {:<12}{}\n", Each->Name, Each->Help);
  return Result;
}

// A word that is one of NAMES, or a parse error that lists them.
template <typename T>
CLI::Option *addChoice(CLI::App &To, const std::string &Flag,
                       const std::vector<std::pair<std::string, T>> &Names,
                       T &Into, const std::string &What) {
  auto Parse = [&Names, &Into, Flag](const std::string &Word) {
    for (const auto &[Name, Value] : Names)
      if (Name == Word) {
        Into = Value;
        return;
      }
    throw CLI::ValidationError(
        Flag, fmt::format("'{}' is not known; {}", Word,
                          suggestionOr("use " + listed(Names), Word, Names)));
  };
  return To
      .add_option_function<std::string>(Flag, Parse,
                                        What + ": " + listed(Names))
      ->type_name("NAME");
}

// "all" is 0, which stands for no limit.
size_t parseRows(const std::string &Word) {
  size_t Rows = 0;
  auto [End, Code] =
      std::from_chars(Word.data(), Word.data() + Word.size(), Rows);
  if (Word != "all" &&
      (Code != std::errc() || Rows == 0 || End != Word.data() + Word.size()))
    throw CLI::ValidationError(
        "--rows", fmt::format("'{}' is neither a number nor 'all'", Word));
  return Word == "all" ? 0 : Rows;
}

// "5" and "5%" are five percent.
double parsePercent(const std::string &Word) {
  size_t Size = Word.size() - (Word.ends_with('%') ? 1 : 0);
  double Percent = -1;
  auto [End, Code] = std::from_chars(Word.data(), Word.data() + Size, Percent);
  if (Code != std::errc() || End != Word.data() + Size || !(Percent >= 0))
    throw CLI::ValidationError(
        "--fail-over", fmt::format("'{}' is no percentage, like 5%", Word));
  return Percent;
}

void addBare(CLI::App &To, ViewOptions &Options) {
  To.add_flag("--bare", Options.Bare,
              "csv: text as it is, without the ' before what a spreadsheet "
              "would run as a formula");
}

// Once all options are known.
void refuseBare(const ViewOptions &Options) {
  if (Options.Bare && Options.Output != Format::Csv)
    throw CLI::ValidationError("--bare", "is for --format csv alone");
}

// What can be said about a report, wherever its profiles come from.
void addReportOptions(CLI::App *Report, ReportRequest &Request) {
  static const std::vector<std::pair<std::string, SamplesMode>> SamplesNames = {
      {"over-time", SamplesMode::OverTime},
      {"mean-of-ratios", SamplesMode::MeanOfRatios}};
  static const std::vector<std::pair<std::string, const View *>> ViewNames =
      [] {
        std::vector<std::pair<std::string, const View *>> Names;
        for (const View *Each : allViews())
          Names.emplace_back(Each->Name, Each);
        return Names;
      }();
  addChoice(*Report, "--view", ViewNames, Request.Which,
            "What to show (default simple)");
  addChoice(*Report, "--format", formatNames(), Request.Options.Output,
            "How to write it (default text)");
  addBare(*Report, Request.Options);
  Report->add_flag("--compact", Request.Options.Compact,
                   "simple: name, mean and total only, by mean");
  Report->add_flag("--stats", Request.Options.Stats,
                   "simple: deviation, extremes, percentiles and self time; "
                   "simple, tree, throughput: processor time, time off it, "
                   "page faults and switches");
  static const std::vector<std::pair<std::string, bool>> GroupNames = {
      {"name", false}, {"phase", true}};
  addChoice(*Report, "--by", GroupNames, Request.Options.ByPhase,
            "kernels: a row per kernel, or per kernel and launching phase "
            "(default name)");
  Report->add_flag("--seconds", Request.Options.Seconds,
                   "advanced: seconds with three decimals, as cProfile has "
                   "them");
  addChoice(*Report, "--samples", SamplesNames, Request.Options.Samples,
            "throughput: how samples per second are computed (default "
            "over-time)");
  Report
      ->add_option("--sort", Request.Options.Sort,
                   "Order rows by this column's key, as csv names it")
      ->type_name("COLUMN");
  Report
      ->add_option_function<std::string>(
          "--rows",
          [&Request](const std::string &Word) {
            Request.Options.Rows = parseRows(Word);
          },
          "Show this many rows, or all; timeline: the last N steps")
      ->type_name("N|all");
  Report
      ->add_option("--columns", Request.Options.Columns,
                   "Show these columns only, by key, in this order")
      ->delimiter(',')
      ->type_name("COLUMN,...");
  Report
      ->add_option("--filter", Request.Options.Filter,
                   "Show rows whose name matches this regular expression; in "
                   "a tree with those above and below")
      ->type_name("REGEX");
  Report
      ->add_option(
          "--stage", Request.Options.Stage,
          "Only this stage: fit, validate, test, predict or outside (what ran "
          "in none)")
      ->type_name("STAGE");
  Report
      ->add_option("--thread", Request.Options.Thread,
                   "Only what ran on this thread, by name (main) or number")
      ->type_name("NAME|ID");
  Report
      ->add_option("--rank", Request.Options.Rank,
                   "Only the files of this rank of a distributed run")
      ->type_name("N");
  Report
      ->add_option("--max-inflated", Request.Options.MaxInflated,
                   "Largest size that a compressed trace may inflate to, e.g. "
                   "16G (default 4G)")
      ->transform(CLI::AsSizeValue(false))
      ->envname("LOOPSCOPE_MAX_INFLATED")
      ->type_name("SIZE");
  Report->add_flag("--merge", Request.Options.Merged,
                   "All profiles, or traces, as one, times summed; "
                   "timeline: side by side");
  Report
      ->add_option("-o,--output", Request.OutputFile,
                   "Write to FILE instead of standard output, which is -")
      ->type_name("FILE");
}

void addReport(CLI::App &Main, ReportRequest &Request, int &Code) {
  CLI::App *Report =
      Main.add_subcommand("report", "Print tables of profiles and traces");
  Report->footer(describedViews() + Examples);
  Report
      ->add_option("PROFILE", Request.Files,
                   "Profiles, PyTorch traces (*.pt.trace.json, "
                   "gzip or not), directories of them, or - for standard "
                   "input: a profile that it was redirected from, or a trace")
      ->required();
  addReportOptions(Report, Request);
  Report->callback([&] {
    refuseBare(Request.Options);
    Code = runReport(Request);
  });
}

void addRun(CLI::App &Main, RunRequest &Request, int &Code) {
  CLI::App *Run = Main.add_subcommand(
      "run", "Run a program and report on it, however it ends");
  Run->footer(R"(
Examples:
  loopscope run -- ./train --epochs 2
      Runs the program, then prints the simple view.
  loopscope run -e warmup=10 --view throughput -- ./train
      With LOOPSCOPE=warmup=10 in its environment.
)");
  Run->add_option("-e,--environment", Request.Options,
                  "What LOOPSCOPE= says to the program")
      ->type_name("OPTIONS");
  Run->add_option("COMMAND", Request.Command,
                  "The program and its arguments, after --")
      ->required();
  addReportOptions(Run, Request.Report);
  Run->callback([&] {
    refuseBare(Request.Report.Options);
    Code = runProgram(Request);
  });
}

void addWatch(CLI::App &Main, WatchRequest &Request, int &Code) {
  CLI::App *Watch = Main.add_subcommand("watch", "Show a run while it goes");
  Watch->footer(R"(
On a terminal the steps, the samples per second and the table of the run so far
are drawn in place; into a file or a pipe goes one line each time. Ends with the
run. The program needs no option for it and isn't slowed.

Examples:
  loopscope watch 4711
      The run of process 4711: steps, samples per second, waiting for data.
  loopscope watch train.4711.loopscope --interval 10 | tee progress.txt
      One line every ten seconds.
)");
  Watch->add_option("FILE|PID", Request.Target, "A profile or a process")
      ->required();
  Watch
      ->add_option("--interval", Request.IntervalSeconds,
                   "Seconds between two looks (default 1)")
      ->check(CLI::Range(0.05, 86400.0))
      ->type_name("SECONDS");
  Watch->callback([&] { Code = watchRun(Request); });
}

void addDiff(CLI::App &Main, DiffRequest &Request, int &Code) {
  CLI::App *Diff =
      Main.add_subcommand("diff", "Compare two runs, action by action");
  Diff->footer(R"(
Examples:
  loopscope diff before.loopscope after.loopscope
      What changed, the largest change of total time first.
  loopscope diff main.loopscope pr.loopscope --format markdown --fail-over 5
      For a pull request; exits with 1 when an action got 5 % slower.
  loopscope diff --runs main/ pr/
      Every profile in a directory is a run of that side: tells a change from
      what differs between runs anyway.
)");
  Diff->add_option("BEFORE", Request.Before,
                   "A profile or trace; with --runs a directory of them")
      ->required();
  Diff->add_option("AFTER", Request.After, "The same, to compare with it")
      ->required();
  Diff->add_flag("--runs", Request.Runs,
                 "Compare several runs: each file in the two directories is "
                 "one, and the test is of the runs' means");
  static const std::vector<std::pair<std::string, Format>> Formats = {
      {"text", Format::Text},
      {"markdown", Format::Markdown},
      {"csv", Format::Csv},
      {"json", Format::Json}};
  addChoice(*Diff, "--format", Formats, Request.Options.Output,
            "How to write it (default text)");
  addBare(*Diff, Request.Options);
  Diff->add_flag("--stats", Request.Options.Stats,
                 "Show processor time, time off it, page faults and switches "
                 "before and after, as csv and json do");
  Diff->add_option("-o,--output", Request.OutputFile,
                   "Write to FILE instead of standard output, which is -")
      ->type_name("FILE");
  Diff->add_option_function<std::string>(
          "--fail-over",
          [&Request](const std::string &Word) {
            Request.FailOver = parsePercent(Word);
          },
          "Exit with 1 when an action's mean grew by more, significantly: 5 or "
          "5%")
      ->type_name("PERCENT");
  Diff->callback([&] {
    refuseBare(Request.Options);
    Code = runDiff(Request);
  });
}

void addExport(CLI::App &Main, ExportRequest &Request, int &Code) {
  CLI::App *Export = Main.add_subcommand(
      "export", "Write a profile or trace for other programs");
  Export->footer(R"(
Examples:
  loopscope export --to chrome train.4711.loopscope
      Writes train.4711.pt.trace.json for Perfetto, HTA and TensorBoard; the
      run needs LOOPSCOPE=trace.
  loopscope export --to folded train.4711.loopscope -o - | flamegraph.pl
)");
  Export
      ->add_option("PROFILE", Request.File,
                   "A profile, as a run wrote it, or a PyTorch trace")
      ->required();
  addChoice(*Export, "--to", exportNames(), Request.To, "The format")
      ->required();
  Export
      ->add_option("-o,--output", Request.OutputFile,
                   "Write to FILE, - for standard output, instead of beside "
                   "the profile; with gzip where the name ends in .gz")
      ->type_name("FILE");
  Export->callback([&] { Code = runExport(Request); });
}

// What is wrong with the first word; empty if it is a command or an option.
std::string problemOfCommand(const CLI::App &Main, const std::string &Word) {
  std::vector<std::string> Known;
  for (const CLI::App *Each : Main.get_subcommands(nullptr))
    Known.push_back(Each->get_name());
  if (Word.starts_with('-') ||
      std::count(Known.begin(), Known.end(), Word) != 0)
    return {};
  std::string Near = suggestionFor(Word, Known);
  return fmt::format("'{}' is no command; {}", Word,
                     Near.empty()
                         ? fmt::format("use one of {}", fmt::join(Known, ", "))
                         : Near);
}

// The same for an option that OF hasn't: "; did you mean '--view'?"
std::string suggestionForOption(const CLI::App &Of) {
  std::vector<std::string> Known;
  for (const CLI::Option *Each : Of.get_options())
    for (const std::string &Name : Each->get_lnames())
      Known.push_back("--" + Name);
  for (const std::string &Word : Of.remaining())
    if (std::string Near = suggestionFor(Word.substr(0, Word.find('=')), Known);
        Word.starts_with("--") && !Near.empty())
      return "; " + Near;
  return {};
}

// Says what is wrong with the command line, and where help is; returns the exit
// code.
int usageError(const std::string &Why, const std::string &Command) {
  printError(fmt::format("{} loopscope {}--help",
                         Why + (Why.ends_with('?') ? " See" : "; see"),
                         Command));
  return Failure;
}

// "help" and "help report" are other words for "--help" and "report --help",
// and so is nothing at all.
std::vector<std::string> withoutHelp(std::vector<std::string> Words) {
  if (Words.empty() || Words.front() == "help") {
    if (!Words.empty())
      Words.erase(Words.begin());
    Words.emplace_back("--help");
  }
  return Words;
}
} // namespace

int main(int ArgCount, char **Args) {
  // A pager that is closed early must not kill us half-way through.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App Main("Shows where a training loop's time goes, from the profiles "
                "that its runs write.",
                "loopscope");
  Main.set_version_flag(
      "--version",
      fmt::format("loopscope {}\nprofile format {}.{}, json "
                  "schema {}",
                  LOOPSCOPE_VERSION, LOOPSCOPE_PROFILE_VERSION_MAJOR,
                  LOOPSCOPE_PROFILE_VERSION_MINOR, JsonSchemaVersion));
  Main.footer(Examples);
  Main.require_subcommand(1);
  ReportRequest Report;
  RunRequest Run;
  WatchRequest Watch;
  ExportRequest Export;
  DiffRequest Diff;
  int Code = Fine;
  addReport(Main, Report, Code);
  addRun(Main, Run, Code);
  addWatch(Main, Watch, Code);
  addExport(Main, Export, Code);
  addDiff(Main, Diff, Code);
  std::vector<std::string> Words = withoutHelp({Args + 1, Args + ArgCount});
  if (std::string Why = problemOfCommand(Main, Words.front()); !Why.empty())
    return usageError(Why, "");
  try {
    // CLI11 takes the words from the end.
    std::reverse(Words.begin(), Words.end());
    Main.parse(std::move(Words));
  } catch (const CLI::Success &Success) {
    return Main.exit(Success); // --help, --version
  } catch (const CLI::ParseError &Failure) {
    const std::vector<CLI::App *> Parsed = Main.get_subcommands();
    if (Parsed.empty())
      return usageError(Failure.what(), "");
    return usageError(Failure.what() + suggestionForOption(*Parsed.front()),
                      Parsed.front()->get_name() + ' ');
  }
  return Code;
}
