// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thresholds and sentences.

#include "Analysis/Verdict.h"

#include "Analysis/GpuRows.h"
#include "Analysis/GpuSums.h"
#include "Analysis/PathTree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace loopscope;

namespace {
// A duration that int64_t surely holds; a hostile profile's may be longer.
constexpr double LongestNs = 9e18;

// Kernels running for at least this part of the steps: the device is the limit.
constexpr double ComputeBound = 0.70;
// Copies and sets that no kernel overlaps, as a part of the steps.
constexpr double CopyBound = 0.30;
// A phase is warned of from this part of its host time on, and from this part
// of the run's.
constexpr double MostlyWaiting = 0.50;
constexpr double WorthAWarning = 0.01;

double part(int64_t Of, int64_t Whole) {
  return Whole <= 0
             ? 0
             : std::clamp(static_cast<double>(Of) / static_cast<double>(Whole),
                          0.0, 1.0);
}

std::string percent(double Part) { return fmt::format("{:.1f} %", Part * 100); }

// The outermost steps of every thread.
std::vector<uint32_t> outermostSteps(const Run &P) {
  std::vector<uint32_t> Result;
  std::vector<bool> InStep(P.Nodes.size());
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    bool Around = N.Parent != None && InStep[N.Parent];
    InStep[I] = Around || N.Kind == LOOPSCOPE_KIND_STEP;
    if (!Around && N.Kind == LOOPSCOPE_KIND_STEP)
      Result.push_back(I);
  }
  return Result;
}

std::string gpuVerdict(const RunFigures &F) {
  double Kernels = part(F.KernelNs, F.DeviceSpanNs);
  double Busy = std::max(Kernels, part(F.BusyNs, F.DeviceSpanNs));
  double Copies = Busy - Kernels;
  double Input = part(F.DrawNs, F.SpanNs);
  double Blocked = part(F.BlockedNs, F.SpanNs);
  double Launch = part(F.LaunchNs, F.SpanNs);
  double Host = std::max(0.0, 1 - Input - Blocked);
  const char *Span = F.HasSteps ? "step time" : "run";
  if (Kernels >= ComputeBound)
    return fmt::format("compute-bound: kernels run for {} of the {}; the host "
                       "is blocked for {}",
                       percent(Kernels), Span, percent(Blocked));
  if (Copies >= CopyBound && Copies >= Kernels)
    return fmt::format("copy-bound: copies and sets alone keep the device busy "
                       "for {} of the {}, kernels for {}",
                       percent(Copies), Span, percent(Kernels));
  // The device idles: what of the host's time keeps it from work?
  if (Input >= Blocked && Input >= Host)
    return fmt::format("input-bound: waiting for data takes {} of the {}, "
                       "while kernels run for {}",
                       percent(Input), Span, percent(Kernels));
  if (Blocked >= Host)
    return fmt::format("sync-bound: the host is blocked in synchronisation for "
                       "{} of the {} and then lets the device idle: kernels "
                       "run for {}",
                       percent(Blocked), Span, percent(Kernels));
  std::string Short =
      F.ShortKernels == 0
          ? ""
          : fmt::format("; {} of {} kernels are shorter than their "
                        "launch",
                        F.ShortKernels, F.Kernels);
  return fmt::format("launch-bound: the host works for {} of the {}, {} of it "
                     "in launch calls, while kernels run for {}{}",
                     percent(Host), Span,
                     percent(Host > 0 ? std::min(1.0, Launch / Host) : 0),
                     percent(Kernels), Short);
}

// A phase's waiting, by the phase whose work it waited for.
struct Waiting {
  int64_t HostNs = 0;
  std::map<std::string, int64_t> ForOthers;

  int64_t totalNs() const {
    int64_t Sum = 0;
    for (const auto &[Phase, Ns] : ForOthers)
      Sum = saturatingAdd(Sum, Ns);
    return Sum;
  }
};

std::string warningOf(const std::string &Phase, const Waiting &W) {
  std::vector<std::pair<std::string, int64_t>> Workers(W.ForOthers.begin(),
                                                       W.ForOthers.end());
  std::stable_sort(
      Workers.begin(), Workers.end(),
      [](const auto &A, const auto &B) { return A.second > B.second; });
  std::string Names;
  for (size_t I = 0; I < Workers.size(); ++I)
    Names +=
        fmt::format("{}{}{}",
                    I == 0                    ? ""
                    : I + 1 == Workers.size() ? " and "
                                              : ", ",
                    Workers[I].first,
                    Workers.size() == 1
                        ? ""
                        : fmt::format(" ({:.0f} %)",
                                      part(Workers[I].second, W.HostNs) * 100));
  return fmt::format("Warning: {}: {:.0f} % of its host time waits for GPU "
                     "work that {} launched.",
                     Phase, part(W.totalNs(), W.HostNs) * 100, Names);
}
} // namespace

RunFigures loopscope::runFigures(const Run &P) {
  RunFigures F;
  GpuByNode Gpu(P);
  F.HasGpu = Gpu.hasData();
  GpuSums Sums;
  std::set<uint32_t> Threads;
  auto Add = [](int64_t &To, int64_t Ns) { To = saturatingAdd(To, Ns); };
  for (uint32_t Step : outermostSteps(P)) {
    F.HasSteps = true;
    Threads.insert(P.Nodes[Step].Thread);
    Add(F.SpanNs, P.Nodes[Step].InclusiveNs);
    for (uint32_t Child : P.Nodes[Step].Children)
      if (P.Nodes[Child].Kind == LOOPSCOPE_KIND_DRAW)
        Add(F.DrawNs, P.Nodes[Child].InclusiveNs);
    Sums.add(Gpu.inclusive(Step));
  }
  if (!F.HasSteps)
    for (uint32_t T = 0; T < P.Threads.size(); ++T)
      if (P.Threads[T].IsMain && P.Threads[T].Root != None) {
        Threads.insert(T);
        Add(F.SpanNs, P.Threads[T].LifetimeNs);
        Sums.add(Gpu.inclusive(P.Threads[T].Root));
      }
  F.LaunchNs = Sums.Calls.LaunchNs;
  F.BlockedNs = Sums.Calls.WaitNs;
  F.OtherNs = Sums.Calls.OtherNs;
  F.KernelNs = Gpu.kernelNs(Sums);
  F.BusyNs = Gpu.busyNs(Sums);
  // A thread's steps on the average, on every device that worked.
  auto Devices = std::count_if(P.Gpu.Devices.begin(), P.Gpu.Devices.end(),
                               [](const GpuDevice &D) { return D.BusyNs > 0; });
  if (!Threads.empty())
    F.DeviceSpanNs = static_cast<int64_t>(std::min(
        static_cast<double>(F.SpanNs) / static_cast<double>(Threads.size()) *
            static_cast<double>(std::max<ptrdiff_t>(Devices, 1)),
        LongestNs));
  for (const GpuWork &W : P.Gpu.Work)
    if (W.Kind == LOOPSCOPE_GPU_KERNEL && W.Node != None) {
      F.Kernels += W.Count - W.NoTime;
      F.ShortKernels += W.Shorter;
    }
  return F;
}

std::string loopscope::verdict(const RunFigures &F) {
  if (F.SpanNs <= 0 || (!F.HasSteps && !F.HasGpu))
    return {};
  if (F.HasGpu)
    return "Verdict: " + gpuVerdict(F) + ".";
  double Input = part(F.DrawNs, F.SpanNs);
  if (Input >= 1 - Input)
    return fmt::format("Verdict: input-bound: waiting for data takes {} of "
                       "the step time, batches {}.",
                       percent(Input), percent(1 - Input));
  return fmt::format("Verdict: compute-bound: batches take {} of the step "
                     "time on the CPU, waiting for data {}.",
                     percent(1 - Input), percent(Input));
}

std::vector<std::string> loopscope::waitWarnings(const Run &P) {
  std::map<std::string, Waiting> ByPhase;
  for (const GpuWait &W : P.Gpu.Waits) {
    if (W.Worker == None)
      continue;
    std::string Waiter = phaseOf(P, W.Waiter);
    std::string Worker = phaseOf(P, W.Worker);
    if (Waiter == Worker || P.Nodes[W.Waiter].Parent == None)
      continue;
    int64_t &Ns = ByPhase[Waiter].ForOthers[Worker];
    Ns = saturatingAdd(Ns, W.Ns);
  }
  // Host time of each name, nested spans of it counted once.
  for (uint32_t I = 0; I < P.Nodes.size() && !ByPhase.empty(); ++I) {
    const Node &N = P.Nodes[I];
    if (N.Parent == None || N.Kind == LOOPSCOPE_KIND_FUNCTION)
      continue;
    auto Found = ByPhase.find(treeName(P, N));
    if (Found == ByPhase.end())
      continue;
    bool IsNested = false;
    for (uint32_t Up = N.Parent; Up != None && !IsNested;
         Up = P.Nodes[Up].Parent)
      IsNested = P.Nodes[Up].Parent != None &&
                 treeName(P, P.Nodes[Up]) == Found->first;
    if (!IsNested)
      Found->second.HostNs = saturatingAdd(Found->second.HostNs, N.InclusiveNs);
  }
  std::vector<std::pair<int64_t, std::string>> Lines;
  for (const auto &[Phase, W] : ByPhase)
    if (part(W.totalNs(), W.HostNs) >= MostlyWaiting &&
        part(W.totalNs(), P.WallNs) >= WorthAWarning)
      Lines.emplace_back(-W.totalNs(), warningOf(Phase, W));
  std::sort(Lines.begin(), Lines.end());
  std::vector<std::string> Result;
  for (auto &[Order, Line] : Lines)
    Result.push_back(std::move(Line));
  return Result;
}
