// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polls live profiles.

#include "Report/Commands/WatchCommand.h"

#include "Analysis/Account/Account.h"
#include "Analysis/Ranks/StalledRanks.h"
#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Commands/Screen.h"
#include "Report/Print/Sparkline.h"
#include "Report/Views/BuildSection.h"
#include "Run/Read/ProcessEnd.h"
#include "Run/Read/ProfileReader.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <unistd.h>

using namespace loopscope;

namespace {
bool isNumber(const std::string &Text) {
  return !Text.empty() && std::all_of(Text.begin(), Text.end(), [](char C) {
    return C >= '0' && C <= '9';
  });
}

// The profile that the process has mapped.
Result<std::string> profileOf(const std::string &Pid) {
  std::ifstream Maps("/proc/" + Pid + "/maps");
  if (!Maps)
    return Error{fmt::format("there is no process {} that loopscope may read; "
                             "name its profile instead",
                             Pid)};
  constexpr std::string_view Extension = ".loopscope";
  for (std::string Line; std::getline(Maps, Line);) {
    size_t Path = Line.find('/');
    if (Path != std::string::npos && Line.ends_with(Extension))
      return Line.substr(Path);
  }
  return Error{
      fmt::format("process {} has no profile open; build it with hooks, wait "
                  "for its first phase, and don't run it with LOOPSCOPE=off",
                  Pid)};
}

double percentOf(int64_t Part, int64_t Whole) {
  return static_cast<double>(Part) * 100 / static_cast<double>(Whole);
}

// "1 h 5 min", "4 min 20 s", "35 s".
std::string roughTime(double Ns) {
  auto Seconds = static_cast<int64_t>(std::llround(Ns / NsPerSecond));
  constexpr int64_t Minute = 60;
  constexpr int64_t Hour = 60 * Minute;
  if (Seconds >= Hour)
    return fmt::format("{} h {} min", Seconds / Hour, Seconds % Hour / Minute);
  if (Seconds >= Minute)
    return fmt::format("{} min {} s", Seconds / Minute, Seconds % Minute);
  return fmt::format("{} s", Seconds);
}

// A run being watched.
struct WatchedRun {
  std::string Path;
  ProgressHistory History;
  Run Now;
  bool IsAlive = true;

  explicit WatchedRun(std::string Path) : Path(std::move(Path)) {}

  // Its line, with the run's name if there are several.
  std::string line(const WatchRequest &Request, bool IsOnly, bool Utf8) const {
    std::string Name = IsOnly          ? ""
                       : Now.Rank >= 0 ? fmt::format("rank {}  ", Now.Rank)
                                       : fmt::format("{}  ", Path);
    return Name + progressLine(History, Request.Steps, Utf8) +
           (IsAlive ? "" : "  ended");
  }
};

using WatchedRuns = std::vector<WatchedRun>;

int64_t nowBy(clockid_t Clock) {
  timespec Now{};
  clock_gettime(Clock, &Now);
  return Now.tv_sec * NsPerSecond + Now.tv_nsec;
}

// How long ago R began, by this host's clock, or by the time of day for a run
// on another host.
int64_t sinceStartNs(const Run &R) {
  return isHere(R) ? nowBy(CLOCK_MONOTONIC) - R.StartMonotonicNs
                   : nowBy(CLOCK_REALTIME) - R.StartRealtimeNs;
}

// A line for each collective in which ranks wait for others.
std::vector<std::string> stalledLines(const WatchedRuns &Runs) {
  std::vector<RankNow> Ranks;
  for (const WatchedRun &Each : Runs)
    Ranks.push_back({&Each.Now, Each.IsAlive, sinceStartNs(Each.Now)});
  std::vector<std::string> Lines;
  for (const StalledCall &Each : findStalled(Ranks))
    Lines.push_back(stalledText(Each));
  return Lines;
}

bool isAnyAlive(const WatchedRuns &Runs) {
  return std::any_of(Runs.begin(), Runs.end(),
                     [](const WatchedRun &Each) { return Each.IsAlive; });
}

// The lines of all runs and the table of the first, at the terminal's current
// width.
std::string screenText(const WatchedRuns &Runs, const WatchRequest &Request) {
  Terminal Where = terminalOf("-", Request.Text);
  if (size_t Columns = screenSize().Columns;
      Columns != 0 && (Where.Width == 0 || Columns < Where.Width))
    Where.Width = Columns;
  std::string Text;
  for (const WatchedRun &Each : Runs)
    Text += wrapParts(Each.line(Request, Runs.size() == 1, Where.Utf8),
                      Where.Width) +
            '\n';
  for (const std::string &Line : stalledLines(Runs))
    Text += wrapParts(Line, Where.Width) + '\n';
  Text += '\n';
  ViewOptions Options;
  if (Result<Section> S = buildSection(Runs.front().Now, SimpleView, Options)) {
    S->Footer.clear();
    Text += printText({std::move(*S)}, Where);
  }
  return Text;
}

// Sleeps for SECONDS. Calls WAKE whenever a signal has been handled meanwhile.
template <typename Function> void sleepFor(double Seconds, Function Wake) {
  timespec Until{};
  clock_gettime(CLOCK_MONOTONIC, &Until);
  int64_t Ns = Until.tv_nsec + static_cast<int64_t>(Seconds * NsPerSecond);
  Until.tv_sec += Ns / NsPerSecond;
  Until.tv_nsec = Ns % NsPerSecond;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &Until, nullptr) ==
         EINTR)
    Wake();
}

// Rereads all runs. If one can't be read, says why and returns false.
bool readAll(WatchedRuns &Runs) {
  for (WatchedRun &Each : Runs) {
    if (!Each.IsAlive)
      continue;
    Result<Run> R = readProfile(Each.Path);
    if (!R) {
      printError(R.error().Message);
      return false;
    }
    Each.History.add(progressOf(*R));
    Each.IsAlive = R->Ended == End::Running;
    Each.Now = std::move(*R);
  }
  return true;
}

// Polls the runs until all have ended. Calls ON_STATE(whether they have) at
// each reading, and ON_SIGNAL() if a signal came in between.
template <typename Draw, typename Wake>
int pollRuns(WatchedRuns &Runs, double IntervalSeconds, Draw OnState,
             Wake OnSignal) {
  for (;;) {
    if (!readAll(Runs))
      return Failure;
    bool IsLast = !isAnyAlive(Runs);
    OnState(IsLast);
    std::fflush(stdout);
    if (std::ferror(stdout) && errno != EPIPE)
      return fail(fmt::format("cannot write to standard output: {}",
                              std::strerror(errno)));
    if (IsLast || std::ferror(stdout))
      return Fine;
    sleepFor(IntervalSeconds, OnSignal);
  }
}

int watchOnScreen(WatchedRuns &Runs, const WatchRequest &Request) {
  Screen Place;
  return pollRuns(
      Runs, Request.IntervalSeconds,
      [&](bool IsLast) {
        std::string Text = screenText(Runs, Request);
        IsLast ? Place.finish(Text) : Place.draw(Text);
      },
      [&] {
        if (Place.isDisturbed())
          Place.draw(screenText(Runs, Request));
      });
}

int watchInLines(WatchedRuns &Runs, const WatchRequest &Request) {
  bool Utf8 = terminalOf("-", Request.Text).Utf8;
  return pollRuns(
      Runs, Request.IntervalSeconds,
      [&](bool) {
        for (const WatchedRun &Each : Runs)
          fmt::print("{}\n", Each.line(Request, Runs.size() == 1, Utf8));
        for (const std::string &Line : stalledLines(Runs))
          fmt::print("{}\n", Line);
      },
      [] {});
}

// The profiles that TARGETS name, or why one can't be found.
Result<WatchedRuns> findRuns(const std::vector<std::string> &Targets) {
  WatchedRuns Runs;
  for (const std::string &Target : Targets) {
    if (isNumber(Target) && access(Target.c_str(), F_OK) != 0) {
      Result<std::string> Found = profileOf(Target);
      if (!Found)
        return Found.error();
      Runs.emplace_back(*Found);
      continue;
    }
    Result<std::vector<std::string>> Paths = expandInputs({Target});
    if (!Paths)
      return Paths.error();
    for (const std::string &Path : *Paths)
      Runs.emplace_back(Path);
  }
  return Runs;
}
} // namespace

std::string loopscope::progressLine(const ProgressHistory &Of, uint64_t Steps,
                                    bool Utf8) {
  const Progress &Now = Of.now();
  const Progress &Earlier = Of.earlier();
  auto PerSecond = [](uint64_t Count, int64_t Ns, uint64_t Threads) {
    return Ns > 0 ? rate(samplesPerSecond(Count, Ns, Threads))
                  : std::string("-");
  };
  std::string Line =
      fmt::format("{} s  {} steps", Now.WallNs / NsPerSecond, Now.Steps);
  LoopLength Length = Steps != 0 ? LoopLength{Steps, false} : Now.Length;
  if (Length.Steps != 0) {
    Line += fmt::format(" of {}{}, {:.0f}%", Length.Steps,
                        Length.IsOneLoop ? " in this loop" : "",
                        static_cast<double>(Now.Steps) * 100 /
                            static_cast<double>(Length.Steps));
    if (std::optional<double> Left = Of.leftNs(Length.Steps))
      Line += fmt::format("  {} left", roughTime(*Left));
  }
  bool HasSamples = Now.Samples != 0;
  uint64_t Since =
      HasSamples ? Now.Samples - Earlier.Samples : Now.Steps - Earlier.Steps;
  Line += fmt::format(
      "  {} {}/s now, {} on average",
      PerSecond(Since, Now.WallNs - Earlier.WallNs, 1),
      HasSamples ? "samples" : "steps",
      PerSecond(HasSamples ? Now.Samples : Now.Steps, Now.StepNs, Now.Threads));
  if (Now.StepNs > 0)
    Line += fmt::format("  waiting for data {:.1f}%",
                        percentOf(Now.DrawNs, Now.StepNs));
  if (Now.Cpu.standFor(Now.StepNs))
    Line += fmt::format("  on the CPU {:.1f}%",
                        percentOf(Now.Cpu.CpuNs, Now.Cpu.MeasuredNs));
  if (Now.Cpu.standFor(Now.StepNs) && Now.Cpu.hasStarved())
    Line += fmt::format("  starved {:.1f}%",
                        percentOf(Now.Cpu.StarvedNs, Now.Cpu.StarvedOfNs));
  if (const std::vector<double> &Times = Of.stepTimes(); !Times.empty())
    Line += fmt::format("  step {} {}",
                        readableDuration(Times.back() / NsPerSecond),
                        sparkline(Times, Utf8));
  return Line;
}

int loopscope::watchRuns(const WatchRequest &Request) {
  Result<WatchedRuns> Runs = findRuns(Request.Targets);
  if (!Runs)
    return fail(Runs.error().Message);
  return isatty(STDOUT_FILENO) != 0 ? watchOnScreen(*Runs, Request)
                                    : watchInLines(*Runs, Request);
}
