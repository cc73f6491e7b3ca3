// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polls a live profile.

#include "Report/Commands/WatchCommand.h"

#include "Report/Commands/Output.h"
#include "Report/Commands/Screen.h"
#include "Report/Views/BuildSection.h"
#include "Run/Read/ProfileReader.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
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
    return Error{fmt::format("there is no process {} that we may look at; name "
                             "its profile instead",
                             Pid)};
  constexpr std::string_view Extension = ".loopscope";
  for (std::string Line; std::getline(Maps, Line);) {
    size_t Path = Line.find('/');
    if (Path != std::string::npos && Line.ends_with(Extension))
      return Line.substr(Path);
  }
  return Error{fmt::format("process {} has no profile open; was it built with "
                           "hooks, has it come to its first phase, and not "
                           "run with LOOPSCOPE=off?",
                           Pid)};
}

bool isAlive(const Run &P) {
  return P.Ended == End::Running && (kill(P.Pid, 0) == 0 || errno != ESRCH);
}

double percentOf(int64_t Part, int64_t Whole) {
  return static_cast<double>(Part) * 100 / static_cast<double>(Whole);
}

void addStep(Progress &To, const Run &P, const Node &Step) {
  To.Steps += Step.Spans.count();
  To.Samples += Step.Samples;
  To.StepNs = saturatingAdd(To.StepNs, Step.FinishedNs);
  To.Cpu.add(Step.Cpu);
  for (uint32_t Child : Step.Children)
    if (P.Nodes[Child].Kind == LOOPSCOPE_KIND_DRAW)
      To.DrawNs = saturatingAdd(To.DrawNs, P.Nodes[Child].FinishedNs);
}

// The line and the table of P, as wide as the terminal is now.
std::string screenText(const Run &P, const std::string &Line,
                       const TextRequest &Asked) {
  Terminal Where = terminalOf("-", Asked);
  if (size_t Columns = screenSize().Columns;
      Columns != 0 && (Where.Width == 0 || Columns < Where.Width))
    Where.Width = Columns;
  std::string Text = wrapParts(Line, Where.Width) + "\n\n";
  ViewOptions Options;
  if (Result<Section> S = buildSection(P, SimpleView, Options)) {
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

// Polls the run until it ends: ON_STATE(profile, line, whether it has ended) at
// each reading, ON_SIGNAL(profile, line) when a signal came between.
template <typename Draw, typename Wake>
int pollRun(const std::string &Path, double IntervalSeconds, Draw OnState,
            Wake OnSignal) {
  Progress Earlier;
  for (;;) {
    Result<Run> P = readProfile(Path);
    if (!P) {
      printError(P.error().Message);
      return Failure;
    }
    Progress Now = progressOf(*P);
    bool Alive = isAlive(*P);
    std::string Line = progressLine(Now, Earlier);
    OnState(*P, Alive ? Line : Line + "  ended", !Alive);
    std::fflush(stdout);
    if (std::ferror(stdout) && errno != EPIPE) {
      printError(fmt::format("cannot write to standard output: {}",
                             std::strerror(errno)));
      return Failure;
    }
    if (!Alive || std::ferror(stdout))
      return Fine;
    Earlier = Now;
    sleepFor(IntervalSeconds, [&] { OnSignal(*P, Line); });
  }
}

int watchOnScreen(const std::string &Path, const WatchRequest &Request) {
  Screen Place;
  return pollRun(
      Path, Request.IntervalSeconds,
      [&](const Run &P, const std::string &Line, bool Ended) {
        std::string Text = screenText(P, Line, Request.Text);
        Ended ? Place.finish(Text) : Place.draw(Text);
      },
      [&](const Run &P, const std::string &Line) {
        if (Place.isDisturbed())
          Place.draw(screenText(P, Line, Request.Text));
      });
}

int watchInLines(const std::string &Path, double IntervalSeconds) {
  return pollRun(
      Path, IntervalSeconds,
      [](const Run &, const std::string &Line, bool) {
        fmt::print("{}\n", Line);
      },
      [](const Run &, const std::string &) {});
}
} // namespace

Progress loopscope::progressOf(const Run &P) {
  Progress Train, Valid;
  Train.WallNs = Valid.WallNs = P.WallNs;
  for (const Node &N : P.Nodes) {
    if (N.Kind != LOOPSCOPE_KIND_STEP || N.Parent == None)
      continue;
    bool IsValid = P.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_VALID;
    addStep(IsValid ? Valid : Train, P, N);
  }
  return Train.Steps != 0 ? Train : Valid;
}

std::string loopscope::progressLine(const Progress &Now,
                                    const Progress &Earlier) {
  auto PerSecond = [](uint64_t Count, int64_t Ns) {
    return Ns > 0 ? rate(static_cast<double>(Count) * NsPerSecond /
                         static_cast<double>(Ns))
                  : std::string("-");
  };
  std::string Line =
      fmt::format("{} s  {} steps", Now.WallNs / NsPerSecond, Now.Steps);
  if (Now.Samples != 0)
    Line += fmt::format(
        "  {} samples/s now, {} on average",
        PerSecond(Now.Samples - Earlier.Samples, Now.WallNs - Earlier.WallNs),
        PerSecond(Now.Samples, Now.StepNs));
  else
    Line += fmt::format(
        "  {} steps/s now, {} on average",
        PerSecond(Now.Steps - Earlier.Steps, Now.WallNs - Earlier.WallNs),
        PerSecond(Now.Steps, Now.StepNs));
  if (Now.StepNs > 0)
    Line += fmt::format("  waiting for data {:.1f} %",
                        percentOf(Now.DrawNs, Now.StepNs));
  if (Now.Cpu.standFor(Now.StepNs))
    Line += fmt::format("  on the processor {:.1f} %",
                        percentOf(Now.Cpu.CpuNs, Now.Cpu.MeasuredNs));
  if (Now.Cpu.standFor(Now.StepNs) && Now.Cpu.hasStarved())
    Line += fmt::format("  starved {:.1f} %",
                        percentOf(Now.Cpu.StarvedNs, Now.Cpu.StarvedOfNs));
  return Line;
}

int loopscope::watchRun(const WatchRequest &Request) {
  std::string Path = Request.Target;
  if (isNumber(Path) && access(Path.c_str(), F_OK) != 0) {
    Result<std::string> Found = profileOf(Path);
    if (!Found) {
      printError(Found.error().Message);
      return Failure;
    }
    Path = *Found;
  }
  return isatty(STDOUT_FILENO) != 0
             ? watchOnScreen(Path, Request)
             : watchInLines(Path, Request.IntervalSeconds);
}
