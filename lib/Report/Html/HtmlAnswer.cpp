// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first screen of the HTML page: who ran, how fast it was, where a step's
// time goes, and what to do.

#include "Analysis/Account/Account.h"
#include "Analysis/Device/KernelRows.h"
#include "Analysis/Samples/SampledProgram.h"
#include "Analysis/Verdict/Advice.h"
#include "Analysis/Verdict/HardwareNotes.h"
#include "Analysis/Verdict/Judge.h"
#include "Analysis/Verdict/StepSummary.h"
#include "Analysis/Verdict/Verdict.h"
#include "Report/Html/HtmlParts.h"
#include "Run/Model/Metrics.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

using namespace loopscope;

namespace {
std::string time(double Ns) {
  return readableDuration(Ns / static_cast<double>(NsPerSecond));
}

// For a loop: how fast it is, how long a step takes, and how much of that is
// work. The steps' distribution and processor time include nested loops, so
// where there are any, they say nothing about the steps.
void addLoop(const Run &R, const LoopAccount &Of, const std::string &Place,
             HtmlRun &Page) {
  std::string Kind = Of.IsTraining ? "Training" : "Validation";
  if (Of.samplesPerSecond() > 0)
    Page.Facts.push_back({Kind + Place,
                          rate(Of.samplesPerSecond()) + " samples/s",
                          Of.Sharers.empty() ? "" : Of.Sharers + " together"});
  std::string Steps = counted(Of.Steps, "step");
  if (Of.NestedNs == 0)
    Steps.insert(0, fmt::format("p95 {}, ", time(Of.Spans.percentileNs(0.95))));
  if (Of.WarmupSteps != 0)
    Steps += " after " + counted(Of.WarmupSteps, "warm-up step");
  if (Of.NestedNs != 0)
    Steps += ", without the loops inside";
  if (!Of.Sharers.empty())
    Steps += ", of " + Of.Sharers;
  Page.Facts.push_back({Kind + " step" + Place, time(Of.meanStepNs()),
                        std::move(Steps), siteText(R, Of.Site)});
  if (Of.IsTraining && Of.NestedNs == 0 && Of.Cpu.standFor(Of.StepNs))
    Page.Facts.push_back({"On the CPU" + Place,
                          percent(part(Of.Cpu.CpuNs, Of.Cpu.MeasuredNs)),
                          "of the training steps"});
}

// A card for each loop, with its place if others are of its kind.
void addLoops(const Run &R, const Account &All, HtmlRun &Page) {
  for (const LoopAccount &Each : All.Loops) {
    auto Same = std::count_if(All.Loops.begin(), All.Loops.end(),
                              [&](const LoopAccount &Other) {
                                return Other.IsTraining == Each.IsTraining;
                              });
    std::string Place = Same > 1 ? siteText(R, Each.Site) : "";
    if (!Place.empty())
      Place = fmt::format(" ({})", Place);
    // A step of a part of a run may have had all of its time before.
    if (Each.StepNs > 0)
      addLoop(R, Each, Place, Page);
  }
}

// The same figures as in the verdict. GPU: its name, if there is one GPU and
// the name is known.
void addUse(const StepTime &Time, const std::string &Gpu, HtmlRun &Page) {
  std::string Whole = Time.HasSteps ? "of the step time" : "of the run";
  if (Time.HasSteps)
    Page.Facts.push_back(
        {Time.hasShortDraws() ? "In draws" : "Waiting for data",
         percent(part(Time.InputNs, Time.HostNs)),
         Time.HasGpu && Time.IsExact
             ? fmt::format("{}, {} with the GPU idle", Whole,
                           percent(part(Time.InputIdleNs, Time.DeviceNs)))
             : Whole});
  if (Time.HasWaits)
    Page.Facts.push_back(
        {"Useful", percent(part(Time.UsefulNs, Time.HostNs)), Whole});
  if (Time.HasGpu)
    Page.Facts.push_back(
        {"GPU runs kernels", percent(part(Time.KernelNs, Time.DeviceNs)),
         Gpu.empty() ? Whole : fmt::format("{}, {}", Whole, Gpu)});
}

void addPeaks(const Run &Of, const HardwareNotes &Hardware, HtmlRun &Page) {
  if (Hardware.Watts)
    Page.Facts.push_back(
        {"Energy",
         Hardware.StepEnergy.empty() ? fmt::format("{:.0f} W", *Hardware.Watts)
                                     : Hardware.StepEnergy,
         Hardware.StepEnergy.empty()
             ? "on average"
             : fmt::format("a step, {:.0f} W on average", *Hardware.Watts)});
  for (const MetricKind &Each : metricKinds()) {
    if (Each.Card == nullptr)
      continue;
    if (double Most = highestValue(Of.Devices, Each.Id); Most > 0)
      Page.Facts.push_back(
          {Each.Card, fmt::format("{:.0f} {}", Most / Each.Scale, Each.Symbol),
           ""});
  }
}

std::string gpuName(const RunInfo &Trace, const GpuUse &Gpu) {
  std::string Name = fmt::format("GPU {}", Gpu.Device);
  for (const DeviceProperties &Known : Trace.Properties)
    if (Known.Id == Gpu.Device && !Known.Name.empty())
      Name += " " + Known.Name;
  return Name;
}

// A card for each GPU of several: of one, addUse() has the figure.
void addTraceFacts(const RunInfo &Trace, const StepAnalysis &Analysis,
                   HtmlRun &Page) {
  Page.Facts.push_back(
      {Analysis.NoStepMarks ? "Whole run" : "Step", time(Analysis.AverageStep),
       Analysis.NoStepMarks ? "" : counted(Analysis.Steps.size(), "step")});
  if (Analysis.Gpus.size() > 1)
    for (const GpuUse &Gpu : Analysis.Gpus)
      Page.Facts.push_back(
          {gpuName(Trace, Gpu), percent(Gpu.Utilization), "running kernels"});
}

std::string traceCommand(const Figures &Of) {
  std::string Text = Of.Files == 1 ? fmt::format("PyTorch trace, {} events",
                                                 Of.About.EventCount)
                                   : fmt::format("{} PyTorch traces, {} events",
                                                 Of.Files, Of.About.EventCount);
  if (Of.About.Rank >= 0)
    Text += fmt::format(", rank {}", Of.About.Rank);
  if (Of.About.WorldSize > 0)
    Text += fmt::format(" of {}", Of.About.WorldSize);
  if (!Of.About.Backend.empty())
    Text += ", " + Of.About.Backend;
  return Text;
}

// The names of the files that FILES joins, without their directories.
std::string titleOf(const std::string &Files) {
  constexpr std::string_view Between = " + ";
  std::string Title;
  for (size_t At = 0; At <= Files.size();) {
    size_t End = std::min(Files.find(Between, At), Files.size());
    std::string File = Files.substr(At, End - At);
    Title +=
        (Title.empty() ? "" : Between.data()) + std::string(fileName(File));
    At = End + Between.size();
  }
  return Title;
}

size_t processesOf(const Run &R) {
  std::set<std::string_view> Processes;
  for (const Thread &Each : R.Threads)
    Processes.insert(Each.Process);
  return Processes.size();
}

void addHead(const Run &Of, const Figures &Found, HtmlRun &Page) {
  Page.Rank = Found.About.Rank;
  if (!Of.By->KnowsProgram) {
    Page.Title = titleOf(Found.About.Path);
    Page.Command = traceCommand(Found);
    return;
  }
  Page.Title = fileName(Of.Program);
  if (Page.Title.empty())
    Page.Title = Of.Path;
  Page.Command = Of.CommandLine;
  if (size_t Processes = processesOf(Of); Processes > 1) {
    Page.Process = fmt::format("{} processes", Processes);
  } else {
    Page.Host = Of.Host;
    Page.Process = fmt::format("process {}", Of.Pid);
  }
  Page.StartedNs = std::max<int64_t>(0, Of.StartRealtimeNs);
}

// The page has its own label for it.
std::string withoutLabel(std::string Verdict) {
  if (constexpr std::string_view Label = "Verdict: ";
      Verdict.starts_with(Label))
    Verdict.erase(0, Label.size());
  return Verdict;
}

// The page writes the first letter of all in upper case itself.
std::string afterNote(const std::string &Note, std::string Verdict) {
  if (Note.empty() || Verdict.empty())
    return Note + Verdict;
  Verdict[0] = static_cast<char>(std::toupper(Verdict[0]));
  return Note + " " + Verdict;
}

// Where to find the evidence of advice that isn't about a phase.
HtmlLink viewOf(const Advice &Of) {
  if (Of.Rule == "tensor_cores")
    return Of.OfOperators ? HtmlLink{None, "operators", Of.Rows}
                          : HtmlLink{None, "kernels", kernelName(Of.Rows)};
  if (Of.Rule == "short_kernels")
    return {None, "kernels", ""};
  if (Of.Text.find("--view ranks") != std::string::npos)
    return {None, "ranks", ""};
  return {None, "overview", ""};
}

void addFindings(const Run &Of, const Figures &Found,
                 const HardwareNotes &Hardware, const HtmlPaths &Paths,
                 HtmlRun &Page) {
  auto NodeOf = [&](const PhasePlace &At) {
    return Paths.ofMain(pathOfPlace(Of, Paths.Main, At));
  };
  if (Found.Time) {
    Verdict Of = verdictOf(*Found.Time);
    const std::string &OfRanks = Found.About.OfRanks.Text;
    Page.Verdict.Text = afterNote(
        Found.OutsideNote, withoutLabel(OfRanks.empty() ? Of.line() : OfRanks));
    // The others are below the hardware view.
    if (!Hardware.Phases.empty())
      Page.Verdict.Text += " " + Hardware.Phases.front();
    for (const std::string &Each : Hardware.HeldBack)
      Page.Verdict.Text += " " + Each;
    if (!Hardware.Clock.empty())
      Page.Verdict.Text += " " + Hardware.Clock;
    if (!Of.Phase.empty() && OfRanks.empty())
      Page.Verdict.Evidence.Node = NodeOf({Of.Phase, Of.File, Of.Line});
  }
  for (std::string &Each : waitWarnings(Of))
    Page.Advice.push_back({std::move(Each), -1, "", {}});
  for (KeyNote &Each : keyNotes(Of)) {
    auto Family =
        std::ranges::find(Page.Families, Each.Text, &HtmlFamily::Note);
    HtmlLink Evidence;
    if (Family != Page.Families.end())
      Evidence = {Family->Node, "", "", Family->Odd};
    Page.Advice.push_back({std::move(Each.Text), -1, "", std::move(Evidence)});
  }
  for (const Advice &Each : advise(Found)) {
    HtmlFinding Next{Each.Text, Each.SavesNs, Each.Rows, {}};
    if (!Each.Places.empty())
      Next.Evidence.Node = NodeOf(Each.Places.front());
    if (Next.Evidence.Node == None)
      Next.Evidence = viewOf(Each);
    Page.Advice.push_back(std::move(Next));
  }
}

// The parts of an account, those without a phase named by what they are.
void addParts(const std::vector<AccountPart> &Parts, const HtmlPaths &Paths,
              HtmlSplit &To, int64_t &ProfilerNs) {
  for (const AccountPart &Each : Parts) {
    if (Each.Use == AccountUse::Profiler)
      ProfilerNs += Each.Ns;
    else if (Each.Ns > 0)
      To.Parts.push_back(
          {Each.Name,
           Each.Nodes.empty() ? None : Paths.Shown[Each.Nodes.front()],
           Each.Ns});
  }
}

// The whole run: what is outside the loops, the parts of the first loop, and
// each other loop as one. They add up to the run.
void addAccount(const Account &All, const HtmlPaths &Paths, HtmlRun &Page) {
  if (All.Loops.empty() || All.WholeNs <= 0)
    return;
  HtmlSplit &To = Page.Account;
  To.Title = fmt::format("Where the {}{} went",
                         All.Sharers.empty() ? "run's " : "", wholeText(All));
  int64_t ProfilerNs = 0;
  addParts(All.Outside, Paths, To, ProfilerNs);
  for (HtmlPart &Each : To.Parts)
    if (Each.Node == None || Each.Name == "(no phase)")
      Each.Name = "(outside the loops)";
  addParts(All.Loops.front().Parts, Paths, To, ProfilerNs);
  for (size_t I = 1; I < All.Loops.size(); ++I) {
    const LoopAccount &Loop = All.Loops[I];
    if (Loop.Ns <= 0)
      continue;
    To.Parts.push_back(
        {Loop.name(),
         Loop.StepNodes.empty() ? None : Paths.Shown[Loop.StepNodes.front()],
         Loop.Ns});
  }
  if (ProfilerNs > 0)
    To.Parts.push_back({"(profiler)", None, ProfilerNs});
}

void addSplit(const Run &Of, const Figures &Found, const Account &All,
              const HtmlPaths &Paths, HtmlRun &Page) {
  StepSplit Split = splitSteps(All, Paths.Main, Paths.PathOfMain);
  // What the host did says little of a step in which devices work.
  bool ByRole =
      Of.By->KeepsEvents && !Found.Steps.Steps.empty() &&
      (Found.Steps.UsesGpu || !Split.IsStep || Split.Parts.size() < 2);
  if (ByRole) {
    Page.Split.Title = "Where an average step's time goes";
    for (size_t R = 0; R < RoleCount; ++R)
      if (Found.Steps.AverageRoles[R] > 0)
        Page.Split.Parts.push_back(
            {roleName(static_cast<TimeRole>(R)), None,
             static_cast<int64_t>(Found.Steps.AverageRoles[R])});
    return;
  }
  if (Split.Path == None || Split.Ns <= 0)
    return;
  const std::string &Loop = Paths.Main[Split.Path].Name;
  Page.Split.Title = Split.IsStep ? "Where a step's time goes"
                     : Split.Path == 0
                         ? "Where the run's time goes"
                         : fmt::format("Where {}'s time goes", Loop);
  Page.Split.Node = Paths.ofMain(Split.Path);
  for (const StepPart &Each : Split.Parts)
    Page.Split.Parts.push_back(
        {Each.Name,
         Each.Path == None ? Page.Split.Node : Paths.ofMain(Each.Path),
         Each.Ns});
}
} // namespace

void loopscope::addAnswer(const Run &Of, const Figures &Found,
                          const HtmlPaths &Paths, HtmlRun &Page) {
  addHead(Of, Found, Page);
  Account All = accountOf(Of);
  if (Of.By->KeepsEvents)
    addTraceFacts(Found.About, Found.Steps, Page);
  else
    addLoops(Of, All, Page);
  if (!Of.By->KeepsEvents)
    Page.Facts.push_back(
        {"Wall time", time(static_cast<double>(Of.WallNs)),
         processesOf(Of) > 1 ? "summed over " + Page.Process : ""});
  if (hasSamplesOnly(Of))
    return;
  if (Found.Time)
    addUse(*Found.Time,
           Found.Steps.Gpus.size() == 1
               ? gpuName(Found.About, Found.Steps.Gpus.front())
               : "",
           Page);
  HardwareNotes Hardware = hardwareNotes(Of);
  addPeaks(Of, Hardware, Page);
  addFindings(Of, Found, Hardware, Paths, Page);
  addAccount(All, Paths, Page);
  addSplit(Of, Found, All, Paths, Page);
}
