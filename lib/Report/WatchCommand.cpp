// Polls a live profile.
#include "Report/WatchCommand.h"

#include "Profile/ProfileReader.h"
#include "Report/Numbers.h"
#include "Report/Output.h"
#include "Report/Views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace loopscope;

namespace {
// Clears from the cursor to the end of the screen; moves the cursor up.
constexpr const char *ClearBelow = "\033[J";

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
                           "hooks, and not run with LOOPSCOPE=off?",
                           Pid)};
}

bool isAlive(const Profile &P) {
  return P.Ended == End::Running && (kill(P.Pid, 0) == 0 || errno != ESRCH);
}

void addStep(Progress &To, const Profile &P, const Node &Step) {
  To.Steps += Step.Spans.count();
  To.Samples += Step.Samples;
  To.StepNs = saturatingAdd(To.StepNs, Step.FinishedNs);
  for (uint32_t Child : Step.Children)
    if (P.Nodes[Child].Kind == LOOPSCOPE_KIND_DRAW)
      To.DrawNs = saturatingAdd(To.DrawNs, P.Nodes[Child].FinishedNs);
}

// Draws the table over the one before. Returns how many lines it took.
size_t redraw(const Profile &P, const std::string &Line, size_t LinesBefore) {
  std::string Text = Line + "\n\n";
  ViewOptions Options;
  if (Result<Section> S = buildSection(P, View::Simple, Options)) {
    S->Footer.clear();
    Text += print({std::move(*S)}, Format::Text, outputTerminal());
  }
  std::string Up =
      LinesBefore == 0 ? "" : fmt::format("\033[{}A\r", LinesBefore);
  fmt::print("{}{}{}", Up, ClearBelow, Text);
  std::fflush(stdout);
  return static_cast<size_t>(std::count(Text.begin(), Text.end(), '\n'));
}
} // namespace

Progress loopscope::progressOf(const Profile &P) {
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
      fmt::format("{} s  {} steps", Now.WallNs / 1'000'000'000, Now.Steps);
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
                        static_cast<double>(Now.DrawNs) * 100 /
                            static_cast<double>(Now.StepNs));
  return Line;
}

int loopscope::watchRun(const WatchRequest &Request) {
  std::string Path = Request.Target;
  if (isNumber(Path) && access(Path.c_str(), F_OK) != 0) {
    Result<std::string> Found = profileOf(Path);
    if (!Found) {
      printError(Found.error().Message);
      return 1;
    }
    Path = *Found;
  }
  bool InPlace = isatty(STDOUT_FILENO);
  size_t Lines = 0;
  Progress Earlier;
  for (;;) {
    Result<Profile> P = readProfile(Path);
    if (!P) {
      printError(P.error().Message);
      return 1;
    }
    Progress Now = progressOf(*P);
    std::string Line = progressLine(Now, Earlier);
    bool Alive = isAlive(*P);
    if (!Alive)
      Line += "  ended";
    if (InPlace)
      Lines = redraw(*P, Line, Lines);
    else
      fmt::print("{}\n", Line);
    std::fflush(stdout);
    if (!Alive || std::ferror(stdout))
      return 0;
    Earlier = Now;
    std::this_thread::sleep_for(
        std::chrono::duration<double>(Request.IntervalSeconds));
  }
}
