// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of `loopscope try`. Runs are those of `loopscope run`, each in a
// process of its own, because what is preloaded is in the environment.

#include "Report/Commands/TryCommand.h"

#include "Analysis/Samples/SampledProgram.h"
#include "Report/Commands/Input.h"
#include "Report/Commands/InstrumentedBuild.h"
#include "Report/Commands/Output.h"
#include "Report/Commands/Program.h"
#include "Report/Commands/ProgramRun.h"
#include "Report/Commands/SuggestCommand.h"
#include "Support/Paths.h"
#include "Support/Printable.h"
#include "Symbols/Executable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// A file in the folder that says whose it is.
constexpr const char *OursName = "made-by-loopscope-try";

class Trial {
public:
  explicit Trial(const TryRequest &Request) : Asked(Request) {}

  int run() {
    if (std::optional<Error> Why = prepare())
      return fail(Why->Message);
    bool IsBare = lacksDebugInfo(Asked.Command);
    if (!IsBare) {
      if (int Code = sample(Asked.Command))
        return Code;
      IsBare = !hasLines();
    }
    if (IsBare) {
      say("builds it with debug information, which the program lacks");
      Seen = Plan.plain();
      if (!build(*Seen, {}))
        return Failure;
      if (int Code = sample(Seen->placedIn(Asked.Command)))
        return Code;
    }
    SuggestRequest Rules;
    Rules.Files = ranksOf(Sampled);
    if (Rules.Files.empty())
      return fail("without samples, no loop can be found");
    Rules.OutputFile = (Plan.Folder / "rules.yaml").string();
    if (runSuggest(Rules) != Fine)
      return Failure;
    if (Seen)
      nameSources(Rules.OutputFile);
    if (!build(Plan, Rules.OutputFile))
      return Failure;
    return measure(Rules.OutputFile);
  }

private:
  std::optional<Error> prepare() {
    std::error_code Why;
    if (!fs::is_directory(Asked.Source, Why))
      return Error{fmt::format("--source: '{}' isn't a folder", Asked.Source)};
    Result<InstrumentedBuild> Found =
        planBuild(Asked.Command, Asked.Build, Asked.Source, Asked.Folder);
    if (!Found)
      return Found.error();
    Plan = std::move(*Found);
    const fs::path &Folder = Plan.Folder;
    if (fs::exists(Folder, Why) && !fs::is_empty(Folder, Why) &&
        !fs::exists(Folder / OursName, Why))
      return Error{fmt::format("{} exists, and `loopscope try` didn't make it; "
                               "choose another one with --folder",
                               Asked.Folder)};
    if (isFedByPipe())
      return Error{"standard input is a pipe, which only one run can read, and "
                   "the program runs twice; put its data in a file, and give "
                   "that: < FILE"};
    if (hasRuntime(Asked.Command))
      return Error{fmt::format("this was built with Loopscope; measure it with "
                               "`loopscope run -- {}`",
                               words(Asked.Command))};
    fs::create_directories(Folder, Why);
    if (Result<Written> Done =
            writeOutputFile((Folder / OursName).string(), "");
        !Done)
      return Done.error();
    Sampled = Folder / "sampled.loopscope";
    Measured = Folder / "measured.loopscope";
    return std::nullopt;
  }

  // Whether another program writes to standard input.
  static bool isFedByPipe() {
    struct stat Of{};
    if (fstat(STDIN_FILENO, &Of) != 0 || !S_ISFIFO(Of.st_mode))
      return false;
    constexpr int Milliseconds = 200;
    pollfd Input{STDIN_FILENO, POLLIN, 0};
    return poll(&Input, 1, Milliseconds) == 1 && (Input.revents & POLLIN) != 0;
  }

  // Whether a program of COMMAND has hooks.
  static bool hasRuntime(const std::vector<std::string> &Command) {
    return std::ranges::any_of(Command, [](const std::string &Word) {
      std::optional<Executable> Each = readExecutable(Word);
      return Each && Each->HasRuntime;
    });
  }

  // Whether the program that will be built again has no debug information.
  bool lacksDebugInfo(const std::vector<std::string> &Command) const {
    std::vector<std::string> Placed = Plan.placedIn(Command);
    for (size_t I = 0; I < Command.size(); ++I)
      if (Command[I] != Placed[I])
        if (std::optional<Executable> Each = readExecutable(Command[I]))
          return !Each->HasDebugInfo;
    return false;
  }

  static std::string words(const std::vector<std::string> &Command) {
    std::vector<std::string> Quoted;
    for (const std::string &Word : Command)
      Quoted.push_back(shellQuoted(Word));
    return fmt::format("{}", fmt::join(Quoted, " "));
  }

  static void say(const std::string &What) {
    std::fflush(stdout);
    fmt::print(stderr, "loopscope try: {}\n", What);
  }

  // The profiles of a run into PROFILE: ranks have files of their own.
  static std::vector<std::string> profilesOf(const fs::path &Profile) {
    std::vector<std::string> Result;
    for (const auto &[Path, Time] : listProfiles(Profile.parent_path()))
      if (fs::path(Path).filename().string().starts_with(
              Profile.stem().string() + "."))
        Result.push_back(Path);
    return Result;
  }

  // The same of one program, without a summary of all ranks if there are those
  // of ranks.
  static std::vector<std::string> ranksOf(const fs::path &Profile) {
    std::vector<std::string> All = profilesOf(Profile);
    auto Ranks =
        std::ranges::stable_partition(All, [](const std::string &Each) {
          return fs::path(Each).stem().has_extension();
        });
    if (Ranks.begin() != All.begin())
      All.erase(Ranks.begin(), Ranks.end());
    std::string First;
    std::erase_if(All, [&](const std::string &Each) {
      Result<Run> Of = readInput(Each, {});
      if (Of && First.empty())
        First = Of->Program;
      return Of && Of->Program != First;
    });
    return All;
  }

  // What the environment says, and MORE, which wins.
  static std::string optionsOf(const std::string &More) {
    const char *Given = std::getenv("LOOPSCOPE");
    return Given && *Given ? std::string(Given) + ',' + More : More;
  }

  // Runs COMMAND into PROFILE and prints its report; returns the exit code.
  int runUnder(const std::vector<std::string> &Command, const fs::path &Profile,
               const std::vector<std::string> &Options) const {
    std::error_code Why;
    for (const std::string &Old : profilesOf(Profile))
      fs::remove(Old, Why);
    std::vector<std::string> All = {fs::read_symlink("/proc/self/exe", Why),
                                    "run", "-e",
                                    optionsOf("output=" + Profile.string())};
    All.insert(All.end(), Options.begin(), Options.end());
    All.emplace_back("--");
    All.insert(All.end(), Command.begin(), Command.end());
    // Every run reads the file on standard input from the same place.
    if (Input >= 0)
      lseek(STDIN_FILENO, Input, SEEK_SET);
    int Status = waitForProgram(All).Status;
    if (!WIFEXITED(Status))
      return fail(fmt::format("{} was ended by signal {}", words(Command),
                              WTERMSIG(Status)));
    return WEXITSTATUS(Status);
  }

  // Whether the samples have lines; without samples, that isn't what lacks.
  // Objects of the C library may have debug information where the program has
  // none.
  bool hasLines() const {
    std::vector<std::string> Samples = ranksOf(Sampled);
    if (Samples.empty())
      return true;
    Result<Run> From = readProgramRun(Samples, {});
    return !From || From->Stacks.Samples.empty() ||
           sampledProgram(*From).HasLines;
  }

  // Whether the samples show a loop that a rule can select.
  bool showsLoop() const {
    std::vector<std::string> Samples = ranksOf(Sampled);
    if (Samples.empty())
      return false;
    Result<Run> From = readProgramRun(Samples, {});
    return From && sampledProgram(*From).likeliestSelectable() != nullptr;
  }

  // Returns the exit code if nothing follows, and says so; else 0. A solver's
  // code tells what it found, so a program with a loop may end with any.
  int sample(const std::vector<std::string> &Command) {
    say("samples " + words(Command));
    int Code = runUnder(Command, Sampled, {"--view", "loops"});
    Ended = Code;
    if (Code == Fine)
      return Fine;
    if (Code != Failure && showsLoop()) {
      say(fmt::format("goes on, because samples show a loop, though {} ended "
                      "with {}",
                      words(Command), Code));
      return Fine;
    }
    say(fmt::format("ends here, because {} ended with {}", words(Command),
                    Code));
    return Code;
  }

  // Comments in the rules name the project's sources, not those of the copy.
  void nameSources(const std::string &Rules) const {
    std::string Text = readFile(Rules);
    std::string Copy = Seen->sourcesBuilt().string();
    std::string Ours = Plan.Source.string();
    for (size_t At = 0; (At = Text.find(Copy, At)) != std::string::npos;
         At += Ours.size())
      Text.replace(At, Copy.size(), Ours);
    if (Result<Written> Done = writeOutputFile(Rules, Text); !Done)
      printWarning(Done.error().Message);
  }

  bool build(const InstrumentedBuild &As, const fs::path &Rules) const {
    if (!As.IsPlain)
      say(fmt::format("builds it with the rules of {} ({})", Rules.string(),
                      As.shown()));
    std::optional<Error> Why = runBuild(As, Rules);
    std::error_code Failed;
    for (const std::string &Word : As.placedIn(Asked.Command))
      if (!Why && !std::ranges::count(Asked.Command, Word) &&
          !fs::exists(Word, Failed))
        Why = Error{fmt::format("the build ({}) doesn't make {}; see {}",
                                As.shown(), Word, As.log().string())};
    if (Why)
      printError(Why->Message);
    else if (!As.IsPlain)
      showUnusedRules(As);
    return !Why;
  }

  // Whether the measured run has the loop, and no step of it.
  bool lacksSteps() const {
    std::vector<std::string> Profiles = ranksOf(Measured);
    if (Profiles.empty())
      return false;
    Result<Run> From = readProgramRun(Profiles, {});
    bool HasLoop = false;
    uint64_t Steps = 0;
    if (From)
      for (const Node &Each : From->Nodes) {
        HasLoop |= Each.Kind == LOOPSCOPE_KIND_TRAIN;
        if (Each.Kind == LOOPSCOPE_KIND_STEP)
          Steps += Each.Spans.count();
      }
    return HasLoop && Steps == 0;
  }

  int measure(const std::string &Rules) const {
    std::vector<std::string> Placed = Plan.placedIn(Asked.Command);
    if (!hasRuntime(Placed))
      return fail(fmt::format(
          "the build left {} without hooks: it compiled nothing anew, it calls "
          "a compiler by its whole path, or no rule matches; see {}",
          words(Placed), Plan.log().string()));
    say("measures " + words(Placed));
    std::vector<std::string> Options;
    if (Asked.Open)
      Options.emplace_back("--open");
    int Code = runUnder(Placed, Measured, Options);
    if (Code != Fine && Code != Ended && !targetsBuilt(Plan).empty()) {
      say(fmt::format("builds all targets and measures again, because {} ended "
                      "with {}",
                      words(Placed), Code));
      if (std::optional<Error> Why = buildOtherTargets(Plan))
        return fail(Why->Message);
      Code = runUnder(Placed, Measured, Options);
    }
    if (lacksSteps())
      say("the loop had no step in this run; a program may go on from a file "
          "that the run before has left");
    std::string Select = shellQuoted(Rules);
    say(fmt::format("the rules are in {}; rename the phases as you like, and "
                    "build with `loopscope-launch --select={} c++ ...` or "
                    "`loopscope_instrument(TARGET SELECT {})`",
                    Rules, Select, Rules));
    return Code;
  }

  const TryRequest &Asked;
  off_t Input = lseek(STDIN_FILENO, 0, SEEK_CUR); // -1: it is no file
  InstrumentedBuild Plan;
  // The build of the program that was sampled, if that isn't the project's.
  std::optional<InstrumentedBuild> Seen;
  fs::path Sampled, Measured;
  int Ended = 0; // the exit code of the run that was sampled
};
} // namespace

int loopscope::runTry(const TryRequest &Request) {
  return Trial(Request).run();
}
