// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules and sentences about devices, communication and input, and the order of
// all rules.

#include "Analysis/Verdict/Verdict.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/Judge.h"
#include "Run/Model/Events.h"
#include "Run/Model/Stages.h"
#include "Support/Order.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
int64_t blockedOf(const PhaseTime &P) { return P.BlockedNs; }
int64_t kernelOf(const PhaseTime &P) { return P.KernelNs; }
int64_t copyOf(const PhaseTime &P) { return P.CopyNs; }
int64_t otherOf(const PhaseTime &P) {
  return std::max<int64_t>(0, hostOf(P) - P.BlockedNs);
}
PhasePlace placeOf(const PhaseTime &P) {
  return {P.Name, std::string(fileName(P.File)), P.Line};
}

// ", 80.0% of that launched in backward" if a phase is named.
std::string ofThat(const Verdict &V, const char *Did, double Part) {
  return V.Phase.empty()
             ? ""
             : fmt::format(", {} of that {}in {}", percent(Part), Did, V.Phase);
}

// Without any, the file may lack their records.
void addKernels(const Parts &P, Verdict &V) {
  if (P.Kernels > 0)
    V.More.push_back(fmt::format("Kernels run for {}", percent(P.Kernels)));
}

void judgeCommunication(const StepTime &Of, const Parts &P, Verdict &V) {
  V.Class = "communication-bound";
  namePhase(Of, communicationOf, V);
  V.Figures =
      fmt::format("because {} takes {} of the {}", Of.communicationWords(),
                  percent(P.Communication), P.Span);
  if (Of.HasGpu)
    addKernels(P, V);
}

void judgeInput(const StepTime &Of, const Parts &P, Verdict &V) {
  V.Class = "input-bound";
  namePhase(Of, inputOf, V);
  V.Figures = fmt::format("because waiting for data takes {} of the {}",
                          percent(P.Input), P.Span);
  if (Of.HasGpu && Of.IsExact)
    V.Figures +=
        fmt::format(" ({} with the device idle)", percent(P.InputIdle));
  if (Of.HasGpu)
    addKernels(P, V);
  else
    V.More.push_back(fmt::format("Batches take {}", percent(1 - P.Input)));
  if (std::string Use = loaderUse(Of); !Use.empty())
    V.More.push_back(std::move(Use));
}

// The host waits neither for data nor for the device, which has too little to
// do: either launching takes the time, or we can't tell what does.
void judgeHost(const StepTime &Of, const Parts &P, Verdict &V) {
  double Launching = P.Host > 0 ? std::min(1.0, P.Launch / P.Host) : 0;
  bool MostAreShort =
      Of.Kernels != 0 && static_cast<double>(Of.ShortKernels) >
                             MostShortKernels * static_cast<double>(Of.Kernels);
  bool IsLaunching = Launching >= LaunchBound || MostAreShort;
  if (!IsLaunching && judgeHostUse(Of, P, false, V)) {
    addKernels(P, V);
    return;
  }
  double There = namePhase(Of, otherOf, V);
  std::string Short =
      Of.ShortKernels == 0
          ? ""
          : fmt::format("{} of {} kernels take less time than their launch",
                        Of.ShortKernels, Of.Kernels);
  auto Calls = [&](const char *Whole) {
    return fmt::format("{} of {} is in launch calls", percent(Launching),
                       Whole);
  };
  constexpr const char *HostTime = "that host time";
  // Without any wait for data, the trace may lack the loader.
  const char *DoesNotWait = Of.InputNs > 0
                                ? "waits neither for data nor for the device"
                                : "doesn't wait for the device";
  auto AddPhase = [&](const std::string &Name) {
    if (!V.Phase.empty())
      V.More.push_back(fmt::format("{} of it is in {}", percent(There), Name));
  };
  if (IsLaunching) {
    V.Class = "launch-bound";
    V.Figures = fmt::format("because for {} of the {} the host {}, and {}",
                            percent(P.Host), P.Span, DoesNotWait,
                            MostAreShort ? Short : Calls("that"));
    if (MostAreShort)
      V.More.push_back(Calls(HostTime));
    AddPhase(V.Phase);
    addKernels(P, V);
  } else {
    V.Class = "unknown";
    V.Figures = fmt::format(
        "{}for {} {}the host {}",
        P.Kernels > 0 ? fmt::format("kernels run for {} of the {}, and ",
                                    percent(P.Kernels), P.Span)
                      : "no kernel was recorded, and ",
        percent(P.Host), P.Kernels > 0 ? "" : fmt::format("of the {} ", P.Span),
        DoesNotWait);
    explainUnknown(Of, "the host", " there", V);
    V.More.push_back(Calls(HostTime));
    AddPhase(V.where());
  }
  if (!Short.empty() && !(IsLaunching && MostAreShort))
    V.More.push_back(Short);
}

void judgeGpu(const StepTime &Of, const Parts &P, Verdict &V) {
  if (P.Kernels >= ComputeBound) {
    V.Class = "compute-bound";
    double There = namePhase(Of, kernelOf, V);
    V.Figures =
        fmt::format("because kernels run for {} of the {}{}",
                    percent(P.Kernels), P.Span, ofThat(V, "launched ", There));
  } else if (P.Copies >= CopyBound &&
             P.Copies >= std::max(P.Kernels, P.Communication)) {
    V.Class = "copy-bound";
    double There = namePhase(Of, copyOf, V);
    V.Figures =
        fmt::format("because copies and memsets alone keep the device "
                    "busy for {} of the {}{}",
                    percent(P.Copies), P.Span, ofThat(V, "launched ", There));
    addKernels(P, V);
  } else if (P.Communication >= CommunicationBound &&
             P.Communication >= P.Kernels) {
    judgeCommunication(Of, P, V);
  } else if (P.InputIdle > InputBound * P.Idle && !Of.hasShortDraws()) {
    judgeInput(Of, P, V);
  } else if (P.Blocked >= P.Host) {
    V.Class = "sync-bound";
    double There = namePhase(Of, blockedOf, V);
    V.Figures = fmt::format(
        "because the host is blocked in synchronisation for {} of the {}{}",
        percent(P.Blocked), P.Span, ofThat(V, "", There));
    addKernels(P, V);
  } else if (judgeProfiler(Of, P, V)) {
    addKernels(P, V);
  } else {
    judgeHost(Of, P, V);
  }
}

void judgeProcessor(const StepTime &Of, const Parts &P, Verdict &V) {
  if (P.Communication >= CommunicationBound && P.Communication >= P.Input)
    return judgeCommunication(Of, P, V);
  if (judgeProfiler(Of, P, V))
    return;
  if (P.Input >= InputBound && !Of.hasShortDraws())
    return judgeInput(Of, P, V);
  if (judgeHostUse(Of, P, !Of.hasShortDraws(), V)) {
    if (V.Class == "input-bound")
      judgeInput(Of, P, V);
    return;
  }
  V.Class = "unknown";
  namePhase(Of, hostOf, V);
  int64_t All = wholeOf(Of);
  int64_t Longest = 0;
  for (const PhaseTime &Each : Of.Phases)
    if (Each.Name == V.Phase)
      Longest = saturatingAdd(Longest, hostOf(Each));
  if (V.Phase.empty())
    V.Figures.clear();
  else
    V.Figures = fmt::format("{} of the {} is in {}{}",
                            percent(part(Longest, All)), P.Span, V.where(),
                            V.Phase == kindWord(LOOPSCOPE_KIND_BATCH)
                                ? ", outside all phases"
                                : "");
  explainUnknown(Of, Of.HasWaits ? "the rest of the batches" : "batches", "",
                 V);
  if (Of.InputNs > 0)
    V.More.push_back(fmt::format(
        "Batches take {}, {} {}", percent(1 - P.Input),
        Of.hasShortDraws() ? "draws" : "waiting for data", percent(P.Input)));
  if (Of.HasWaits)
    V.More.push_back(fmt::format("{} is marked as waiting",
                                 percent(part(Of.WaitNs, Of.HostNs))));
}

} // namespace

std::string loopscope::percent(double Part) {
  return fmt::format("{:.1f}%", Part * 100);
}

std::string loopscope::placeText(std::string_view File, uint32_t Line) {
  return Line == 0 ? std::string(File) : fmt::format("{}:{}", File, Line);
}

int64_t loopscope::inputOf(const PhaseTime &P) { return P.InputNs; }

// Host collectives, which may run on threads of their own, count as
// communication only.
int64_t loopscope::hostOf(const PhaseTime &P) {
  return P.Communicates ? 0 : P.HostNs;
}

int64_t loopscope::communicationOf(const PhaseTime &P) {
  return saturatingAdd(P.CommunicationNs, P.Communicates ? P.HostNs : 0);
}

int64_t loopscope::sumOf(const StepTime &Of, UseOf Use) {
  int64_t Sum = 0;
  for (const PhaseTime &Each : Of.Phases)
    Sum = saturatingAdd(Sum, Use(Each));
  return Sum;
}

double loopscope::namePhase(const StepTime &Of, UseOf Use, Verdict &To) {
  std::map<std::string, int64_t> ByName;
  for (const PhaseTime &Each : Of.Phases)
    ByName[Each.Name] = saturatingAdd(ByName[Each.Name], Use(Each));
  auto Most = std::max_element(
      ByName.begin(), ByName.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  if (Most == ByName.end() || Most->second <= 0 || Most->first.empty())
    return 0;
  To.Phase = Most->first;
  int64_t Longest = -1;
  for (const PhaseTime &Each : Of.Phases)
    if (Each.Name == To.Phase && Use(Each) > Longest) {
      Longest = Use(Each);
      To.File = fileName(Each.File);
      To.Line = Each.Line;
    }
  return part(Most->second, sumOf(Of, Use));
}

std::string PhasePlace::text() const {
  return File.empty() ? Name : Name + ", " + placeText(File, Line);
}

std::vector<PhasePlace> loopscope::placesWith(const StepTime &Of, UseOf Use) {
  constexpr size_t Most = 3;
  constexpr double WorthAName = 0.1;
  std::vector<const PhaseTime *> Order;
  for (const PhaseTime &Each : Of.Phases)
    if (!Each.Name.empty() && part(Use(Each), sumOf(Of, Use)) >= WorthAName)
      Order.push_back(&Each);
  sortLargestFirst(Order, [&](const PhaseTime *A) { return Use(*A); });
  std::vector<PhasePlace> Places;
  for (size_t I = 0; I < std::min(Most, Order.size()); ++I)
    Places.push_back(placeOf(*Order[I]));
  return Places;
}

Parts::Parts(const StepTime &Of)
    : Kernels(part(Of.KernelNs, Of.DeviceNs)),
      Copies(part(Of.CopyNs, Of.DeviceNs)),
      Communication(part(Of.CommunicationNs, Of.DeviceNs)),
      Idle(part(Of.idleNs(), Of.DeviceNs)),
      InputIdle(part(Of.InputIdleNs, Of.DeviceNs)),
      Input(part(Of.InputNs, Of.HostNs)),
      Blocked(part(Of.BlockedNs, Of.HostNs)),
      Launch(part(Of.LaunchNs, Of.HostNs)),
      Host(std::max(0.0, 1 - Input - Blocked)),
      Span(Of.HasSteps ? "step time" : "run") {}

double loopscope::part(int64_t Of, int64_t Whole) {
  return Whole <= 0
             ? 0
             : std::clamp(static_cast<double>(Of) / static_cast<double>(Whole),
                          0.0, 1.0);
}

std::string Verdict::where() const {
  return File.empty() ? Phase
                      : fmt::format("{} ({})", Phase, placeText(File, Line));
}

std::string Verdict::sentence() const {
  if (Class.empty())
    return {};
  if (!Doubt.empty())
    return fmt::format("There is no verdict, because {}.", Doubt);
  if (Class == "unknown")
    return fmt::format("Verdict: {}{}{}.", Figures, Figures.empty() ? "" : "; ",
                       WhyUnknown);
  return fmt::format("Verdict: {}{}, {}.", Class,
                     Phase.empty() ? "" : " in " + where(), Figures);
}

std::string Verdict::line() const {
  std::string Text = sentence();
  for (const std::string &Each : More)
    Text += fmt::format(" {}.", Each);
  return Text;
}

Verdict loopscope::verdictOf(const StepTime &Of) {
  Verdict Result;
  if (Of.HostNs <= 0 || (!Of.HasSteps && !Of.HasGpu && !Of.HasCommunication))
    return Result;
  if (!Of.Doubt.empty()) {
    Result.Class = "unknown";
    Result.Doubt = Of.Doubt;
    return Result;
  }
  if (Of.HasGpu)
    judgeGpu(Of, Parts(Of), Result);
  else
    judgeProcessor(Of, Parts(Of), Result);
  return Result;
}
