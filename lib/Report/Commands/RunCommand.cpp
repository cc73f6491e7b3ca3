// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the program, waits for it, and finds its profiles.

#include "Report/Commands/RunCommand.h"

#include "Analysis/Samples/SampledProgram.h"
#include "Report/Commands/CallCounter.h"
#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Commands/Preload.h"
#include "Report/Commands/Program.h"
#include "Run/Read/ProcessEnd.h"
#include "Sample/ProgramSampler.h"
#include "Support/Numbers.h"

#include <loopscope/run_settings.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
constexpr double WorthwhileSeconds = LOOPSCOPE_WORTHWHILE_CPU_MS / 1e3;

// The last value of KEY in comma-separated OPTIONS, which is the one that
// counts; empty if it isn't there.
std::string valueOf(std::string_view Options, std::string_view Key) {
  std::string_view Value;
  while (!Options.empty()) {
    std::string_view Word = Options.substr(0, Options.find(','));
    Options.remove_prefix(std::min(Options.size(), Word.size() + 1));
    if (Word.starts_with(Key))
      Value = Word.substr(Key.size());
  }
  return std::string(Value);
}

bool hasWord(std::string_view Options, std::string_view Wanted) {
  return ("," + std::string(Options) + ",")
             .find("," + std::string(Wanted) + ",") != std::string::npos;
}

// The name that the options give the run's profiles.
struct ProfileNames {
  fs::path Directory;
  std::string File; ///< empty: the runtime's own choice
  std::string Stem; ///< what all of them begin with
  bool HasPattern = false;

  // Ranks, and names that are taken, add to it behind a dot.
  bool has(const std::string &Name) const {
    return Name.starts_with(Stem) &&
           (HasPattern || Stem.empty() || Name.size() == Stem.size() ||
            Name[Stem.size()] == '.');
  }
};

ProfileNames profileNames(const std::string &Options) {
  constexpr std::string_view Extension = ".loopscope";
  std::string Output = valueOf(Options, "output=");
  std::error_code Failed;
  if (Output.empty())
    return {fs::current_path(Failed), {}, {}};
  if (Output.back() == '/' || fs::is_directory(Output, Failed))
    return {Output, {}, {}};
  ProfileNames Result{
      fs::path(Output).parent_path(), fs::path(Output).filename().string(), {}};
  if (Result.Directory.empty())
    Result.Directory = fs::current_path(Failed);
  Result.Stem = Result.File;
  if (Result.Stem.ends_with(Extension))
    Result.Stem.resize(Result.Stem.size() - Extension.size());
  size_t Pattern = Result.Stem.find('%');
  Result.HasPattern = Pattern != std::string::npos;
  Result.Stem.resize(std::min(Pattern, Result.Stem.size()));
  return Result;
}

// The profiles with such names.
ProfileListing listNamed(const ProfileNames &Names) {
  ProfileListing Result = loopscope::listProfiles(Names.Directory);
  std::erase_if(Result, [&](const auto &Each) {
    return !Names.has(fs::path(Each.first).filename().string());
  });
  std::error_code Failed;
  fs::path Given = Names.Directory / Names.File;
  if (!Names.File.empty() && fs::is_regular_file(Given, Failed))
    Result[Given.string()] = fs::last_write_time(Given, Failed);
  return Result;
}

// Profiles in AFTER that aren't in BEFORE or are older there; relative to the
// working directory if they are below it.
std::vector<std::string> newProfiles(const ProfileListing &Before,
                                     const ProfileListing &After) {
  std::vector<std::string> Result;
  std::error_code Failed;
  for (const auto &[Path, Time] : After) {
    auto Old = Before.find(Path);
    if (Old != Before.end() && Old->second == Time)
      continue;
    fs::path Short =
        fs::path(Path).lexically_relative(fs::current_path(Failed));
    bool IsInside = !Short.empty() && *Short.begin() != "..";
    Result.push_back(IsInside ? Short.string() : Path);
  }
  return Result;
}

// Says so if much of the CPU time of all processes, TOTAL_SECONDS, isn't in the
// samples.
void explainUnsampled(double SampledSeconds, double TotalSeconds,
                      bool FromOutside) {
  constexpr double Much = 0.2;          // of it
  constexpr double LeastSeconds = 0.25; // several processes' first 100 ms
  double Missing = TotalSeconds - SampledSeconds;
  if (Missing < std::max(LeastSeconds, Much * TotalSeconds))
    return;
  std::string First = readableDuration(WorthwhileSeconds);
  printNote(fmt::format(
      "the samples cover {} of {} of CPU time: {}",
      readableDuration(SampledSeconds), readableDuration(TotalSeconds),
      FromOutside
          ? fmt::format("from outside, only the command's first "
                        "process is sampled, after its first {} and until it "
                        "executes another program",
                        First)
          : fmt::format("a process is sampled after its first {}, and "
                        "forked children that execute no other program "
                        "aren't",
                        First)));
}

// Profiles to report, and the CPU time that the samples of all cover; negative
// if they aren't of samples alone.
struct ChosenPrograms {
  std::vector<std::string> Files;
  double SampledSeconds = -1;
};

// Of the profiles of several programs of which only samples are known, such as
// a script's commands, the one with the most CPU time is the program. The
// others are named in a line. Ranks belong together.
ChosenPrograms choosePrograms(std::vector<std::string> Files,
                              const ViewOptions &Options) {
  size_t Most = 0;
  uint64_t MostNs = 0, SampledNs = 0;
  for (size_t I = 0; I < Files.size(); ++I) {
    Result<Run> Each = readInput(Files[I], Options);
    if (!Each || Each->Rank >= 0 || !hasSamplesOnly(*Each))
      return {std::move(Files)};
    SampledNs += Each->Stacks.CpuNs;
    if (Each->Stacks.CpuNs > MostNs) {
      Most = I;
      MostNs = Each->Stacks.CpuNs;
    }
  }
  double Seconds = toSeconds(static_cast<int64_t>(SampledNs));
  if (Files.size() < 2)
    return {std::move(Files), Seconds};
  std::swap(Files[0], Files[Most]);
  printWarning(fmt::format(
      "other processes were sampled, too, and used less CPU time: {}",
      fmt::join(Files.begin() + 1, Files.end(), ", ")));
  Files.resize(1);
  return {std::move(Files), Seconds};
}

// Says that the program isn't sampled.
void explainUnprofiled(const PreloadPlan &Plan, const std::string &Why) {
  printNote(fmt::format("{} can't be sampled, because {}; it runs unprofiled",
                        Plan.File, Why));
}

// What LOOPSCOPE=, OPTIONS, says about samples that are taken from outside. The
// error is a reason.
Result<SamplerOptions> samplerOptions(const std::vector<std::string> &Command,
                                      const std::string &Options) {
  // As the word 'stacks' of the runtime.
  constexpr uint32_t DefaultHz = 250;
  constexpr uint32_t MostHz = 10000;
  SamplerOptions Result{fmt::format("{}", fmt::join(Command, " ")), Options,
                        valueOf(Options, "output="),
                        hasWord(Options, "private"), DefaultHz};
  std::string Hz = valueOf(Options, "stacks=");
  if (Hz.empty())
    return Result;
  auto [End, Failed] =
      std::from_chars(Hz.data(), Hz.data() + Hz.size(), Result.Hz);
  if (Failed != std::errc() || End != Hz.data() + Hz.size() || Result.Hz < 1 ||
      Result.Hz > MostHz)
    return Error{
        fmt::format("stacks={} isn't a number from 1 to {}", Hz, MostHz)};
  return Result;
}

// Starts to sample process PID, which is about to become the program.
std::optional<ProgramSampler> sampleFromOutside(int Pid,
                                                const PreloadPlan &Plan,
                                                const RunRequest &Request,
                                                const std::string &Options) {
  if (hasWord(Options, "off")) {
    explainUnprofiled(Plan, "LOOPSCOPE=off was set");
    return std::nullopt;
  }
  Result<SamplerOptions> Wanted = samplerOptions(Request.Command, Options);
  if (!Wanted) {
    explainUnprofiled(Plan, Wanted.error().Message);
    return std::nullopt;
  }
  Result<ProgramSampler> Started = ProgramSampler::start(Pid, *Wanted);
  if (!Started) {
    explainUnprofiled(
        Plan, fmt::format("{}, and {}", Plan.WhyNot, Started.error().Message));
    return std::nullopt;
  }
  return std::move(*Started);
}

// Says why an unmodified program left no profile; UserOptions is the value of
// LOOPSCOPE before we added to it.
void explainNothing(const std::string &Command, double CpuSeconds,
                    bool FromOutside, const std::string &UserOptions) {
  if (CpuSeconds < WorthwhileSeconds)
    printNote(fmt::format("{} used {} of CPU time, too little to sample",
                          Command, readableDuration(CpuSeconds)));
  else if (FromOutside)
    printNote(fmt::format(
        "{} left no samples: its first process, which alone is sampled from "
        "outside, used less than {} of CPU time until it ended or executed "
        "another program",
        Command, readableDuration(WorthwhileSeconds)));
  else if (hasWord(UserOptions, "off"))
    printNote(
        fmt::format("{} left no samples: LOOPSCOPE=off was set", Command));
  else
    printNote(fmt::format(
        "{} left no samples: {}it cleared LD_PRELOAD, it can't have a second "
        "thread, no process of it used {} of CPU time, forked children did its "
        "work, which aren't sampled unless they execute a program, or it "
        "starts a static program, which `loopscope run` samples if that is its "
        "command",
        Command,
        UserOptions.empty() ? ""
                            : "LOOPSCOPE was refused (a line above says so), ",
        readableDuration(WorthwhileSeconds)));
}

// Ends as the program did.
int endLike(int Status, bool Reported) {
  if (WIFSIGNALED(Status)) {
    // One core file, the program's own, is enough.
    rlimit NoCore{0, 0};
    setrlimit(RLIMIT_CORE, &NoCore);
    std::signal(WTERMSIG(Status), SIG_DFL);
    raise(WTERMSIG(Status));
  }
  int Code = WEXITSTATUS(Status);
  return Code == 0 && !Reported ? Failure : Code;
}
} // namespace

int loopscope::runProgram(RunRequest Request) {
  const char *Given = std::getenv("LOOPSCOPE");
  const std::string UserOptions = !Request.Options.empty() ? Request.Options
                                  : Given                  ? Given
                                                           : "";
  std::string Options = UserOptions;
  // We make the report, unless it was asked for elsewhere.
  if (valueOf(Options, "report=").empty())
    Options += Options.empty() ? "report=none" : ",report=none";
  PreloadPlan Plan =
      Request.Preload ? planPreload(Request.Command[0]) : PreloadPlan();
  if (!Plan.WhyNot.empty() && !Plan.FromOutside)
    explainUnprofiled(Plan, Plan.WhyNot);
  if (std::string More = applyPreload(Plan); !More.empty())
    Options = More + ',' + Options;
  setenv("LOOPSCOPE", Options.c_str(), 1);

  ProfileNames Names = profileNames(Options);
  ProfileListing Before = listNamed(Names);
  std::optional<CallCounter> Counter;
  if (Request.CountsCalls && (!Plan.Library.empty() || Plan.FromOutside))
    Counter.emplace([&] { return newProfiles(Before, listNamed(Names)); });
  std::optional<ProgramSampler> Sampler;
  BeforeProgram BeforeStart;
  if (Plan.FromOutside)
    BeforeStart = [&](int Child) {
      if (auto Started = sampleFromOutside(Child, Plan, Request, Options))
        Sampler.emplace(std::move(*Started));
    };
  auto [Status, Pid, CpuSeconds] =
      waitForProgram(Request.Command, ProgramOutput::Kept, BeforeStart);
  if (Sampler)
    Sampler->finish();
  if (Counter)
    Counter->finish();
  Request.Report.Files = newProfiles(Before, listNamed(Names));
  for (const std::string &Path : Request.Report.Files)
    recordEnd(Path, Pid, Status);
  bool IsUnmodified = !Plan.Library.empty() || !Plan.WhyNot.empty();
  if (IsUnmodified && !Request.Report.Files.empty()) {
    ChosenPrograms Chosen =
        choosePrograms(std::move(Request.Report.Files), Request.Report.Options);
    Request.Report.Files = std::move(Chosen.Files);
    if (Chosen.SampledSeconds >= 0)
      explainUnsampled(Chosen.SampledSeconds, CpuSeconds, Sampler.has_value());
  }
  bool Reported = false;
  if (!Request.Report.Files.empty())
    Reported = runReport(Request.Report) == Fine;
  else if (Sampler || !Plan.Library.empty())
    explainNothing(Request.Command[0], CpuSeconds, Sampler.has_value(),
                   UserOptions);
  else if (!IsUnmodified &&
           (!WIFEXITED(Status) || WEXITSTATUS(Status) < NotExecutable))
    printError(fmt::format(
        "{} left no profile in {}: it was built without loopscope-launch or "
        "loopscope_instrument, no place in it is marked, or LOOPSCOPE=off was "
        "set. Without marks, `loopscope-launch --functions g++ ...` times its "
        "functions, and `loopscope-rewrite --suggest FILE.cpp -o loops.yaml` "
        "finds its loops for `loopscope-launch --select=loops.yaml g++ ...`",
        Request.Command[0], Names.Directory.string()));
  // That a program that is none of ours left nothing isn't its fault.
  bool MayBeNothing = IsUnmodified && Request.Report.Files.empty();
  return endLike(Status, Reported || MayBeNothing);
}
