// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A phase's windows are those that its work filled, so its time is that of the
// work. A step's windows are all of it, so its time is the host's.

#include "Analysis/Device/Roofline.h"

#include "Analysis/Thresholds.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace loopscope;

namespace {
// The theoretical most of a GPU's memory, if all that worked have the same.
double bytesPeak(const Run &R) {
  std::set<uint64_t> Peaks;
  for (const GpuDevice &D : R.Gpu.Devices)
    if (D.BusyNs > 0)
      Peaks.insert(D.MemoryBytesPerSecond);
  return Peaks.size() == 1 ? static_cast<double>(*Peaks.begin()) : 0;
}

size_t gpusThatWorked(const Run &R) {
  return static_cast<size_t>(std::ranges::count_if(
      R.Gpu.Devices, [](const GpuDevice &D) { return D.BusyNs > 0; }));
}

// Whether several threads of one process ran a call path: their times are
// added up in it, so they aren't how long it went on.
bool isOfSeveralThreads(const Run &R, const std::vector<uint32_t> &Nodes) {
  std::set<uint32_t> Threads;
  for (uint32_t N : Nodes)
    Threads.insert(R.Nodes[N].Thread);
  std::set<std::string> Processes;
  for (const GpuDevice &D : R.Gpu.Devices)
    if (D.BusyNs > 0)
      Processes.insert(D.Process);
  return Threads.size() > Processes.size();
}

std::optional<RooflinePoint> pointOf(const Path &Its, const HardwareRow &R,
                                     const GpuByNode &Gpu,
                                     const FlopsPeak &Flops, double BytesPeak) {
  const AmountSum &Given = Its.Amounts[SpanAmount::Flops];
  std::optional<double> Dram = R.mean(HardwareId::DramActive);
  if (Its.Kind == LOOPSCOPE_KIND_ROOT || !Given.IsGiven || !Given.IsWhole ||
      !Dram)
    return std::nullopt;
  double Ns = holdsIdleTime(Its.Kind)
                  ? static_cast<double>(Its.CountedNs) * Flops.Devices
                  : static_cast<double>(Gpu.busyNs(Its.Gpu));
  if (Ns <= 0 || static_cast<double>(R.of(HardwareId::DramActive).Ns) <
                     RooflineLeastMeasured * Ns)
    return std::nullopt;
  RooflinePoint Point;
  Point.Flop = Given.Sum;
  Point.Ns = static_cast<int64_t>(Ns);
  Point.FlopPerSecond = Given.Sum * NsPerSecond / Ns;
  Point.BytesPerSecond = *Dram / 100 * BytesPeak;
  Point.Roof = Flops.FlopsPerSecond;
  if (Point.BytesPerSecond > 0) {
    Point.Intensity = Point.FlopPerSecond / Point.BytesPerSecond;
    double Memory = *Point.Intensity * BytesPeak;
    Point.MemoryIsLower = Memory < Point.Roof;
    Point.Roof = std::min(Point.Roof, Memory);
  }
  return Point;
}

std::string whyNone(const Run &R, const HardwareByPath &All,
                    const FlopsPeak &Flops, double BytesPeak) {
  std::vector<SpanAmount> Given = amountsOf(R);
  if (std::ranges::find(Given, SpanAmount::Flops) == Given.end())
    return "no phase says how many floating-point operations it does; mark one "
           "with flops(\"...\")";
  if (Flops.FlopsPerSecond <= 0)
    return fmt::format("the GPU's peak isn't known ({}); give it with "
                       "--peak FLOPS",
                       Flops.Source);
  if (All.Gpus.size() < gpusThatWorked(R))
    return "some of the GPUs that worked gave no readings of their memory";
  if (BytesPeak <= 0)
    return "the GPUs' memory has throughputs that differ, or that CUPTI "
           "doesn't tell";
  return "no phase with FLOP has enough readings of the GPU's memory; phases "
         "need some seconds of work, 0.2 s or more at a time";
}
} // namespace

Roofline loopscope::roofline(const Run &R, const GpuByNode &Gpu,
                             const HardwareByPath &All) {
  Roofline Result;
  FlopsPeak Flops = flopsPeak(R);
  Result.FlopPeak = Flops.FlopsPerSecond;
  Result.FlopSource = Flops.Source;
  Result.BytesPeak = bytesPeak(R);
  Result.Gpus = All.Gpus.size();
  bool IsKnown = Result.FlopPeak > 0 && Result.BytesPeak > 0 &&
                 Result.Gpus != 0 && Result.Gpus == gpusThatWorked(R);
  HardwareOfGpu Of = gpusTogether(All);
  for (uint32_t I = 0; IsKnown && I < All.Tree.size(); ++I) {
    if (holdsIdleTime(All.Tree[I].Kind) &&
        isOfSeveralThreads(R, All.NodesOf[I]))
      continue;
    if (std::optional<RooflinePoint> Point =
            pointOf(All.Tree[I], Of.Paths[I], Gpu, Flops, Result.BytesPeak)) {
      Point->Path = I;
      Result.Points.push_back(*Point);
    }
  }
  if (Result.Points.empty())
    Result.WhyNone = whyNone(R, All, Flops, Result.BytesPeak);
  return Result;
}
