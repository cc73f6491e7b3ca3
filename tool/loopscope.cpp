// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loopscope: reports on profiles. Parses the command line, calls the library,
// and maps the result to an exit code.

#include "CommandOptions.h"
#include "DiffOptions.h"
#include "Report/Commands/AnnotateCommand.h"
#include "Report/Commands/ExportCommand.h"
#include "Report/Commands/MergeCommand.h"
#include "Report/Commands/Output.h"
#include "Report/Commands/ReportCommand.h"
#include "Report/Commands/RunCommand.h"
#include "Report/Commands/SuggestCommand.h"
#include "Report/Commands/TryCommand.h"
#include "Report/Commands/WatchCommand.h"
#include "Report/Print/Printers.h"
#include "Report/Views/View.h"
#include "Support/Suggest.h"
#include "ViewCommandLine.h"

#include <loopscope/profile_format.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

using namespace loopscope;

namespace {
const char *const Examples = R"(
Examples:
  loopscope report train.4711.loopscope
      The summary: the verdict, where the run went, what to do.
  loopscope report train.4711.loopscope --view throughput
      Samples per second, and what waiting for data costs.
  loopscope report train.4711.loopscope --view timeline --rows 20
      The last 20 steps as bars; the run needs LOOPSCOPE=trace.
  loopscope report train.*.loopscope --merge --view tree
      All ranks as one call-path tree.
  loopscope report train.4711.loopscope --format csv -o phases.csv
      The same numbers for a spreadsheet, in seconds.
)";

const char *const FirstSteps = R"(
Examples:
  loopscope run -- ./train
      Any program, as it is: where its time goes, and its likely main loop.
  loopscope try -- ./train
      Marks that loop in a build of its own, and measures each step exactly.
  loopscope report train.4711.loopscope
      The profile of a program with marks: the verdict, where the run went, what
      to do. `loopscope report --help` shows more.
)";

// The views and what they show, for the end of a help text.
std::string describedViews() {
  std::string Result = "\nViews:\n";
  for (const View *Each : allViews())
    Result += fmt::format("  {:<15}{}\n", Each->Name, Each->Help);
  return Result;
}

void addReport(CLI::App &Main, ReportRequest &Request, int &Code) {
  CLI::App *Report =
      Main.add_subcommand("report", "Print tables of profiles and traces");
  Report->footer(describedViews() + Examples);
  Report
      ->add_option("PROFILE", Request.Files,
                   "Profiles, PyTorch traces (*.pt.trace.json, gzip or not), "
                   "directories of them, or - for standard input: a trace, or "
                   "a profile redirected from its file")
      ->required();
  addReportOptions(*Report, Request);
  Report->callback([&] {
    refuseForFormat(Request.Options, Request.Open);
    Code = runReport(Request);
  });
}

void addRun(CLI::App &Main, RunRequest &Request, int &Code) {
  CLI::App *Run = Main.add_subcommand(
      "run", "Run a program and report on it, however it ends");
  Run->footer(R"(
Examples:
  loopscope run -- ./train --epochs 2
      Runs the program, then prints the summary. A program that wasn't
      built with Loopscope is sampled: its likely main loop is printed.
  loopscope run -e warmup=10 --view throughput -- ./train
      With LOOPSCOPE=warmup=10 in its environment.
)");
  Run->add_option("-e,--environment", Request.Options,
                  "Value of LOOPSCOPE for the program")
      ->type_name("OPTIONS");
  Run->add_flag("!--no-preload", Request.Preload,
                "Leave a program that wasn't built with Loopscope as it is, "
                "instead of sampling it");
  Run->add_flag("!--no-counts", Request.CountsCalls,
                "Sample such a program only, and don't count the calls in its "
                "main loop by breakpoints of the CPU");
  Run->add_option("COMMAND", Request.Command,
                  "The program and its arguments, after --")
      ->required();
  addReportOptions(*Run, Request.Report);
  Run->callback([&] {
    refuseForFormat(Request.Report.Options, Request.Report.Open);
    Code = runProgram(Request);
  });
}

void addWatch(CLI::App &Main, WatchRequest &Request, int &Code) {
  CLI::App *Watch = Main.add_subcommand("watch", "Show runs as they progress");
  Watch->footer(R"(
On a terminal, steps, samples per second, recent step times and the table of the
run so far are redrawn in place; a pipe gets one line per update. Ends when the
runs end. The program needs no option for it and isn't slowed down.

Examples:
  loopscope watch 4711
      The run of process 4711: steps, samples per second, waiting for data.
  loopscope watch train.4711.loopscope --interval 10 | tee progress.txt
      One line every ten seconds.
  loopscope watch train.*.rank*.loopscope --steps 10000
      A line for each rank: how much of 10000 steps is done, and the time left.
)");
  Watch
      ->add_option("FILE|PID", Request.Targets,
                   "Profiles, directories of them, or processes: one per rank")
      ->required();
  Watch
      ->add_option("--steps", Request.Steps,
                   "Training steps that a whole run has, to show how much is "
                   "done and the time left (default: as the program says by "
                   "loopscope_iterations)")
      ->check([](const std::string &Word) {
        uint64_t Steps = 0;
        auto [End, Error] =
            std::from_chars(Word.data(), Word.data() + Word.size(), Steps);
        return Error == std::errc() && End == Word.data() + Word.size() &&
                       Steps != 0
                   ? std::string()
                   : "'" + Word + "' is not a number of steps above 0";
      })
      ->type_name("N");
  Watch
      ->add_option("--interval", Request.IntervalSeconds,
                   "Seconds between updates (default 1)")
      ->check(CLI::Range(0.05, 86400.0))
      ->type_name("SECONDS");
  addTextOptions(*Watch, Request.Text);
  addStyle(*Watch, Request.Text);
  Watch->callback([&] { Code = watchRuns(Request); });
}

void addExport(CLI::App &Main, ExportRequest &Request, int &Code) {
  CLI::App *Export = Main.add_subcommand(
      "export", "Write a profile or trace in another program's format");
  Export->footer(R"(
Examples:
  loopscope export --to chrome train.4711.loopscope
      Writes train.4711.pt.trace.json for Perfetto, HTA and TensorBoard; the
      run needs LOOPSCOPE=trace.
  loopscope export --to folded train.4711.loopscope -o - | flamegraph.pl
  loopscope export --to chrome profiles/ -o ranks.json.gz
      The timelines of a run's ranks on one clock.
)");
  Export
      ->add_option("PROFILE", Request.Files,
                   "A profile, as a run wrote it, or a PyTorch trace; with "
                   "--to chrome, several profiles or directories, too")
      ->required();
  addChoice(*Export, "--to", exportNames(), Request.To, "The format")
      ->required();
  Export
      ->add_option("-o,--output", Request.OutputFile,
                   "Write to FILE, - for standard output, instead of beside "
                   "the profile; with gzip where the name ends in .gz")
      ->type_name("FILE");
  static const std::vector<std::pair<std::string, bool>> Ways = {
      {"name", false}, {"key", true}};
  addChoice(*Export, "--by", Ways, Request.ByKey,
            "Phases by name, or each of their keys as one, block[17] "
            "(default name)");
  Export->callback([&] { Code = runExport(Request); });
}

void addAnnotate(CLI::App &Main, AnnotateRequest &Request, int &Code) {
  CLI::App *Annotate = Main.add_subcommand(
      "annotate", "List the source with the time of its lines");
  Annotate->footer(R"(
A line with a phase, loop or function shows its time, of that its own, its calls
and GPU time; with LOOPSCOPE=stacks, lines also show their samples of CPU time.
The hottest lines come first.

Examples:
  loopscope annotate train.4711.loopscope
      All lines that have figures.
  loopscope annotate train.4711.loopscope src/model.cpp --context 10
      Those of a file, with ten lines around each.
  loopscope annotate train.4711.loopscope forward --format html -o forward.html
      What the phase 'forward' ran, as a page.
)");
  Annotate->add_option("PROFILE", Request.File, "A profile, as a run wrote it")
      ->required();
  Annotate->add_option("FILE|PHASE", Request.Which,
                       "A source file, by its path or the end of it, or a "
                       "phase by its name");
  Annotate
      ->add_option("--context", Request.Context,
                   "Lines to show around each (default 3)")
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
  static const std::vector<std::pair<std::string, Format>> Formats = {
      {"text", Format::Text}, {"html", Format::Html}, {"json", Format::Json}};
  addChoice(*Annotate, "--format", Formats, Request.Output,
            "How to write it (default text)");
  addTextOptions(*Annotate, Request.Text);
  Annotate
      ->add_option("-o,--output", Request.OutputFile,
                   "Write to FILE instead of standard output, which is -")
      ->type_name("FILE");
  Annotate->callback([&] { Code = runAnnotate(Request); });
}

void addMerge(CLI::App &Main, MergeRequest &Request, int &Code) {
  CLI::App *Merge = Main.add_subcommand(
      "merge", "Write the profiles of a run's ranks into one file");
  Merge->footer(R"(
The file holds what the ranks view and the views of sums show, but no timelines.
Every command reads it; FILE:3 is its rank 3. With MPI, a run writes one
automatically.

Examples:
  loopscope merge -o run.loopscope profiles/
      The ranks of the newest run in that directory.
  loopscope report run.loopscope --view ranks
)");
  Merge
      ->add_option("PROFILE", Request.Files,
                   "Profiles of the ranks, or directories of them")
      ->required();
  Merge
      ->add_option("-o,--output", Request.OutputFile,
                   "Write to FILE, - for standard output")
      ->type_name("FILE")
      ->required();
  Merge->callback([&] { Code = runMerge(Request); });
}

void addSuggest(CLI::App &Main, SuggestRequest &Request, int &Code) {
  CLI::App *Suggest = Main.add_subcommand(
      "suggest", "Write rules that mark the loop which samples show");
  Suggest->footer(R"(
The profile is one that `loopscope run` made of a program without marks, built
with -g. Its next build, with the rules, measures the loop exactly. Profiles of
several ranks, or a directory of them, are taken together.

Examples:
  loopscope suggest train.4711.loopscope -o loops.yaml
  make clean && make CXX="loopscope-launch --select=$PWD/loops.yaml g++"
)");
  Suggest
      ->add_option("PROFILE", Request.Files,
                   "Profiles, as a run wrote them, or directories of them")
      ->required();
  Suggest
      ->add_option("-o,--output", Request.OutputFile,
                   "Write to FILE instead of standard output, which is -")
      ->type_name("FILE");
  Suggest->callback([&] { Code = runSuggest(Request); });
}

void addTry(CLI::App &Main, TryRequest &Request, int &Code) {
  CLI::App *Try = Main.add_subcommand(
      "try",
      "Find a program's loop, mark it in a build of its own, measure it");
  Try->footer(R"(
Runs the program twice. The first run is sampled, which finds the loop and the
calls in it; rules for these are built into a second program, whose run is
measured exactly. Everything is made in the folder loopscope-try; the project
and its own build stay as they are. CMake's builds get a second build folder
with the same cache, others a copy of the sources and compilers in front of
PATH.

Examples:
  loopscope try -- ./train --epochs 2
      Built by the Makefile here.
  loopscope try -- build/train
      build/ is one of CMake.
  loopscope try --build './build.sh release' --source .. -- out/train
)");
  Try->add_option("--build", Request.Build,
                  "How the program is built, for a shell in the folder of "
                  "--source (default: CMake, make or ninja, by what is there)")
      ->type_name("COMMAND");
  Try->add_option("--source", Request.Source,
                  "The folder in which it is built (default: this one)")
      ->type_name("FOLDER");
  Try->add_option("--folder", Request.Folder,
                  "Where to make everything (default loopscope-try)")
      ->type_name("FOLDER");
  Try->add_flag("--open", Request.Open,
                "Open the measured run's page in the browser at the end");
  Try->add_option("COMMAND", Request.Command,
                  "The program, by its path, and its arguments, after --")
      ->required();
  Try->callback([&] { Code = runTry(Request); });
}

// OF's long options: "--view".
std::vector<std::string> optionsOf(const CLI::App &Of) {
  std::vector<std::string> Names;
  for (const CLI::Option *Each : Of.get_options())
    for (const std::string &Name : Each->get_lnames())
      Names.push_back("--" + Name);
  return Names;
}

// What is wrong with the first word; empty if it is a command or an option.
std::string problemOfCommand(const CLI::App &Main, const std::string &Word) {
  std::vector<std::string> Known;
  for (const CLI::App *Each : Main.get_subcommands(nullptr))
    Known.push_back(Each->get_name());
  std::vector<std::string> Options = optionsOf(Main);
  if (Word.starts_with("--")) {
    std::string Near = suggestionFor(Word, Options);
    bool IsOption = std::count(Options.begin(), Options.end(), Word) != 0;
    return IsOption || Near.empty()
               ? ""
               : fmt::format("'{}' is not an option; {}", Word, Near);
  }
  if (Word.starts_with('-') ||
      std::count(Known.begin(), Known.end(), Word) != 0)
    return {};
  std::string Near = suggestionFor(Word, Known);
  if (Near.empty())
    Near = suggestionFor("--" + Word, Options);
  std::error_code Ignored;
  if (Near.empty() && std::filesystem::exists(Word, Ignored))
    Near = fmt::format("did you mean 'loopscope report {}'?", Word);
  return fmt::format("'{}' is not a command; {}", Word,
                     Near.empty()
                         ? fmt::format("use one of {}", fmt::join(Known, ", "))
                         : Near);
}

// What is wrong with GIVEN: the first misspelt option before a program's words,
// else what the parser FOUND. It may have named a word that is fine, the value
// that a misspelt option leaves over.
std::string problemOfOptions(const CLI::App &Of, const std::string &Found,
                             const std::vector<std::string> &Given) {
  std::vector<std::string> Known = optionsOf(Of);
  for (const std::string &Word : Given) {
    std::string Name = Word.substr(0, Word.find('='));
    if (Name == "--")
      break;
    if (!Name.starts_with("--") ||
        std::count(Known.begin(), Known.end(), Name) != 0)
      continue;
    if (std::string Near = suggestionFor(Name, Known); !Near.empty())
      return fmt::format("'{}' is not an option; {}", Name, Near);
  }
  return Found;
}

// Prints what is wrong with the command line and where to find help; returns
// the exit code.
int usageError(const std::string &Why, const std::string &Command) {
  printError(fmt::format("{} loopscope {}--help",
                         Why + (Why.ends_with('?') ? " See" : "; see"),
                         Command));
  return Failure;
}

// The folder of the CMake package of this installation, or of this build.
std::string cmakeFolder() {
  namespace fs = std::filesystem;
  std::error_code Why;
  fs::path Bin = fs::read_symlink("/proc/self/exe", Why).parent_path();
  for (const char *Each : {LOOPSCOPE_CMAKE_FROM_BIN, ".."})
    if (fs::path Folder = (Bin / Each).lexically_normal();
        fs::exists(Folder / "LoopscopeConfig.cmake", Why))
      return Folder.string();
  return {};
}

// "help" and "help report" mean "--help" and "report --help"; no arguments mean
// "--help" too.
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
  // Closing a pager early must not kill us half-way.
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
  Main.add_flag_callback(
          "--cmake-dir",
          [] {
            std::string Folder = cmakeFolder();
            if (Folder.empty())
              throw CLI::ParseError(
                  "no LoopscopeConfig.cmake belongs to this program; install "
                  "Loopscope completely",
                  Failure);
            throw CLI::CallForVersion(Folder, Fine);
          },
          "Print the folder of the CMake package (Loopscope_DIR) and exit")
      ->trigger_on_parse();
  Main.footer(FirstSteps);
  Main.require_subcommand(1);
  ReportRequest Report;
  RunRequest Run;
  WatchRequest Watch;
  ExportRequest Export;
  DiffRequest Diff;
  AnnotateRequest Annotate;
  MergeRequest Merge;
  SuggestRequest Suggest;
  TryRequest Try;
  ViewRequest Viewed;
  int Code = Fine;
  addReport(Main, Report, Code);
  addRun(Main, Run, Code);
  addTry(Main, Try, Code);
  addView(Main, Viewed, Code);
  addWatch(Main, Watch, Code);
  addExport(Main, Export, Code);
  addDiff(Main, Diff, Code);
  addAnnotate(Main, Annotate, Code);
  addMerge(Main, Merge, Code);
  addSuggest(Main, Suggest, Code);
  std::vector<std::string> Words = withoutHelp({Args + 1, Args + ArgCount});
  if (std::string Why = problemOfCommand(Main, Words.front()); !Why.empty())
    return usageError(Why, "");
  Diff.Pairs = takePrograms(Words);
  try {
    // CLI11 takes the words from the end.
    std::vector<std::string> Reversed(Words.rbegin(), Words.rend());
    Main.parse(std::move(Reversed));
  } catch (const CLI::Success &Success) {
    return Main.exit(Success); // --help, --version
  } catch (const CLI::ParseError &Failure) {
    const std::vector<CLI::App *> Parsed = Main.get_subcommands();
    if (Parsed.empty())
      return usageError(Failure.what(), "");
    return usageError(problemOfOptions(*Parsed.front(), Failure.what(), Words),
                      Parsed.front()->get_name() + ' ');
  }
  return Code;
}
