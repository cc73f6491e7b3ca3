// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bounds the host: working, waiting, page faults, a lack of processors, or
// our own hooks.

#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/Judge.h"
#include "Analysis/Verdict/PhaseUses.h"
#include "Run/Model/Run.h"
#include "Support/Numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace loopscope;

namespace {
constexpr double WorthAWord = 0.005; // shares that are printed

int64_t offOf(const PhaseTime &P) {
  return saturatingAdd(starvedOf(P), hostUse(P).Waiting);
}
int64_t spansOf(const PhaseTime &P) {
  return static_cast<int64_t>(std::min<uint64_t>(P.Spans, INT64_MAX));
}

int64_t sumOfNamed(const StepTime &Of, const std::string &Name, UseOf Use) {
  int64_t Sum = 0;
  for (const PhaseTime &Each : Of.Phases)
    if (Each.Name == Name)
      Sum = saturatingAdd(Sum, Use(Each));
  return Sum;
}

CpuSums cpuOfNamed(const StepTime &Of, const std::string &Name) {
  CpuSums Sum;
  for (const PhaseTime &Each : Of.Phases)
    if (Each.Name == Name) {
      Sum.add(Each.HostCpu);
      Sum.add(Each.InputCpu);
    }
  return Sum;
}

// "98.0% on the CPU, 2.0% waiting"; leaves out shares that are too small.
std::vector<std::string> describe(const HostUse &Use, int64_t Whole) {
  bool IsRead = part(Use.MaybeReady, Whole) < WorthAWord;
  const std::pair<int64_t, const char *> Words[] = {
      {Use.Computing, "on the CPU"},
      {Use.Faulting, "in page faults"},
      {Use.Starved, "without a CPU"},
      {Use.Waiting, IsRead ? "waiting" : "waiting or ready to run"}};
  std::vector<std::string> Result;
  for (const auto &[Ns, What] : Words)
    if (part(Ns, Whole) >= WorthAWord)
      Result.push_back(fmt::format("{} {}", percent(part(Ns, Whole)), What));
  return Result;
}

// Names the phase with most of a use. "which takes 49.0% of the step time,
// 98.0% of that "
std::string phaseFigures(const StepTime &Of, const Parts &P, UseOf Use,
                         Verdict &V) {
  namePhase(Of, Use, V);
  int64_t Whole = wholeOf(Of);
  if (V.Phase.empty())
    return fmt::format("with {} of the {} ",
                       percent(part(sumOf(Of, Use), Whole)), P.Span);
  int64_t Phase = sumOfNamed(Of, V.Phase, allOf);
  return fmt::format("which takes {} of the {}, {} of that ",
                     percent(part(Phase, Whole)), P.Span,
                     percent(part(sumOfNamed(Of, V.Phase, Use), Phase)));
}

// "The whole step time is 60.0% on the CPU, ..., 10.0% waiting for data"; empty
// if nothing is known of it.
std::string allFigures(const StepTime &Of, const Parts &P) {
  int64_t Whole = wholeOf(Of);
  std::vector<std::string> Parts = describe(hostUse(Of), Whole);
  if (int64_t Input = sumOf(Of, inputOf); part(Input, Whole) >= WorthAWord)
    Parts.push_back(
        fmt::format("{} {}", percent(part(Input, Whole)), Of.inputWords()));
  if (double Talking = part(Whole - sumOf(Of, allOf), Whole);
      Talking >= WorthAWord)
    Parts.push_back(fmt::format("{} communicating", percent(Talking)));
  return Parts.empty() ? ""
                       : fmt::format("The whole {} is {}", P.Span,
                                     fmt::join(Parts, ", "));
}

std::string faultFigures(const CpuSums &S) {
  std::string Text =
      fmt::format("in page faults ({} of them", S.MinorFaults + S.MajorFaults);
  if (S.MajorFaults != 0)
    Text += fmt::format(", {} read from disk", S.MajorFaults);
  if (S.MinorFaults != 0)
    Text += fmt::format(", one per {} of CPU time",
                        readableDuration(static_cast<double>(S.CpuNs) / 1e9 /
                                         static_cast<double>(S.MinorFaults)));
  return Text + ")";
}

// What other threads did during ALL of a phase's waiting. The process's time
// has that of our own threads, too, which takes up to a hundredth.
std::string besideFigures(int64_t Beside, int64_t All) {
  constexpr double MoreThanOurs = 0.02;
  if (part(Beside, All) < MoreThanOurs)
    return "";
  return fmt::format(", {} of it while other threads of the program computed",
                     percent(part(Beside, All)));
}

// A class that may take most of the steps' time, by one of the known uses.
struct Candidate {
  const char *Class;
  int64_t Ns;
  UseOf Use;
};

// Whether a use of NS is certain to take most: more than all time whose use
// isn't known.
bool isClear(int64_t Ns, int64_t Unknown) { return Ns > 0 && Ns > Unknown; }

void judgeAs(const Candidate &C, const StepTime &Of, const Parts &P,
             Verdict &V) {
  V.Class = C.Class;
  V.Figures = phaseFigures(Of, P, C.Use, V);
  CpuSums There = cpuOfNamed(Of, V.Phase);
  if (V.Class == "compute-bound")
    V.Figures += "on the CPU";
  else if (V.Class == "fault-bound")
    V.Figures += faultFigures(There);
  else if (V.Class == "starved")
    V.Figures += "ready to run but without a CPU";
  else if (V.Class == "throttled")
    V.Figures +=
        fmt::format("off the CPU, and the control group's CPU limit "
                    "held the process back for {} of the {}",
                    percent(part(Of.ThrottledNs, wholeOf(Of))), P.Span);
  else if (There.VoluntarySwitches == 0)
    V.Figures += There.MeasuredNs == 0 ? "in places that are marked as waits"
                                       : "waiting";
  else if (!There.hasStarved())
    V.Figures += fmt::format("off the CPU, which it left by itself {} times",
                             There.VoluntarySwitches);
  else
    V.Figures +=
        fmt::format("waiting off the CPU, {} times{}", There.VoluntarySwitches,
                    besideFigures(sumOfNamed(Of, V.Phase, besideThreadsOf),
                                  sumOfNamed(Of, V.Phase, waitingOf)));
  if (V.Class == "blocked" && !There.hasStarved())
    V.More.push_back("How long it was ready to run isn't known");
  if (std::string All = allFigures(Of, P); !All.empty())
    V.More.push_back(std::move(All));
}
} // namespace

bool loopscope::judgeProfiler(const StepTime &Of, const Parts &P, Verdict &V) {
  double Hooks = part(sumOf(Of, hooksOf), wholeOf(Of));
  if (Hooks < ProfilerBound)
    return false;
  V.Class = "profiler-bound";
  namePhase(Of, spansOf, V);
  V.Figures = fmt::format("because Loopscope's own hooks take {} of the {}",
                          percent(Hooks), P.Span);
  int64_t Spans = sumOfNamed(Of, V.Phase, spansOf);
  if (V.Phase.empty() || Spans <= 0)
    return true;
  std::string Has = fmt::format("{} has {} spans", V.Phase, Spans);
  // Nothing may be left of their time once the hooks' is subtracted.
  if (int64_t Ns = sumOfNamed(Of, V.Phase, allOf); Ns > 0)
    Has += fmt::format(" of {} on average",
                       readableDuration(static_cast<double>(Ns) / 1e9 /
                                        static_cast<double>(Spans)));
  V.More.push_back(std::move(Has));
  return true;
}

bool loopscope::judgeHostUse(const StepTime &Of, const Parts &P, bool WithInput,
                             Verdict &V) {
  HostUse Host = hostUse(Of);
  HostUse Input = inputUse(Of);
  int64_t Whole = wholeOf(Of);
  int64_t Starved = sumOf(Of, starvedOf);
  int64_t Off = sumOf(Of, offOf);
  if (Of.ThrottledNs > 0 && part(Of.ThrottledNs, Whole) >= ThrottledBound &&
      part(Of.ThrottledNs, Off) >= MostlyThrottled) {
    judgeAs({"throttled", Off, offOf}, Of, P, V);
    return true;
  }
  const Candidate ByStarving = {"starved", Starved, starvedOf};
  if (part(Starved, Whole) >= StarvedBound && Starved >= Host.Waiting &&
      Starved > saturatingAdd(Host.Unknown, Input.Unknown)) {
    judgeAs(ByStarving, Of, P, V);
    return true;
  }
  Candidate Most = {"blocked", Host.Waiting, waitingOf};
  for (const Candidate &Each :
       {Candidate{"compute-bound", Host.Computing, computingOf},
        Candidate{"fault-bound", sumOf(Of, faultingOf), faultingOf},
        ByStarving})
    if (Each.Ns > Most.Ns)
      Most = Each;
  if (!isClear(Most.Ns, Host.Unknown))
    return false;
  if (WithInput && Input.all() > Most.Ns) {
    V.Class = "input-bound";
    return true;
  }
  judgeAs(Most, Of, P, V);
  return true;
}

int64_t loopscope::allOf(const PhaseTime &P) {
  return saturatingAdd(hostOf(P), inputOf(P));
}
int64_t loopscope::hooksOf(const PhaseTime &P) { return P.HookNs; }

int64_t loopscope::wholeOf(const StepTime &Of) {
  int64_t Sum = sumOf(Of, allOf);
  for (const PhaseTime &Each : Of.Phases)
    if (Each.Communicates && Of.NoCpu != MissingCpu::Trace)
      Sum = saturatingAdd(Sum, Each.HostNs);
  return Sum;
}

std::string loopscope::loaderUse(const StepTime &Of) {
  HostUse Input = inputUse(Of);
  if (part(Input.known(), Input.all()) < 0.5)
    return "";
  std::vector<std::string> Parts = describe(Input, Input.all());
  return Parts.empty()
             ? ""
             : fmt::format("The wait for data is {}", fmt::join(Parts, ", "));
}

void loopscope::explainUnknown(const StepTime &Of, const char *Who,
                               const char *Where, Verdict &V) {
  CpuSums Cpu;
  for (const PhaseTime &Each : Of.Phases)
    Cpu.add(Each.HostCpu);
  if (Cpu.standFor(sumOf(Of, hostOf))) {
    V.WhyUnknown = fmt::format(
        "{}{} spent {} of the time on the CPU, and the rest is unexplained",
        Who, Where, percent(part(Cpu.CpuNs, Cpu.MeasuredNs)));
    return;
  }
  V.WhyUnknown =
      fmt::format("whether {} worked or waited{} wasn't recorded", Who, Where);
  switch (Of.NoCpu) {
  case MissingCpu::Trace:
    break;
  case MissingCpu::NotRead:
    V.More.push_back("LOOPSCOPE=cpu=auto records it");
    break;
  case MissingCpu::Refused:
    V.WhyUnknown = fmt::format(
        "the kernel didn't report whether {} worked or waited{}", Who, Where);
    break;
  case MissingCpu::Short:
    // A reading of the CPU time costs as much as such a phase.
    V.WhyUnknown = "phases are too short to tell computing from waiting";
    V.More.push_back("Mark longer ones, or sample them with LOOPSCOPE=stacks");
    break;
  }
}
