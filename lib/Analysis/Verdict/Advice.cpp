// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules behind the recommendations.

#include "Analysis/Verdict/Advice.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/Judge.h"
#include "Analysis/Verdict/PhaseUses.h"
#include "Analysis/Verdict/Verdict.h"
#include "Run/Model/KnownNames.h"
#include "Support/Numbers.h"
#include "Support/Order.h"
#include "Support/Paths.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace loopscope {
namespace {

/// The share PART of NS.
int64_t partOf(int64_t Ns, double Part) {
  return static_cast<int64_t>(std::min(9e18, static_cast<double>(Ns) * Part));
}

/// The share PART / WHOLE of NS.
int64_t partOf(int64_t Ns, int64_t Part, int64_t Whole) {
  return partOf(Ns, part(Part, Whole));
}

std::string gpuRow(int64_t Device) { return fmt::format("GPU {}", Device); }

class Adviser {
public:
  Adviser(const Recorder &By, uint64_t Threads)
      : IsPyTorch(By.RunsPython), Threads(Threads) {}

  std::vector<Advice> Found;
  bool IsPyTorch;
  uint64_t Threads; ///< whose steps run at the same time

  template <typename... Args>
  void add(const char *Rule, double Figure, fmt::format_string<Args...> Text,
           Args &&...Values) {
    addIn("%", Rule, Figure, Text, std::forward<Args>(Values)...);
  }

  template <typename... Args>
  void addIn(const char *Unit, const char *Rule, double Figure,
             fmt::format_string<Args...> Text, Args &&...Values) {
    Found.push_back({Rule,
                     Figure,
                     Unit,
                     fmt::format(Text, std::forward<Args>(Values)...),
                     -1,
                     "",
                     {}});
  }

  /// What following the last rule's advice could save at most, and the table
  /// rows that it rests on.
  void restsOn(std::string Rows, int64_t SavesNs = -1) {
    Found.back().Rows = std::move(Rows);
    Found.back().SavesNs = SavesNs;
  }

  /// The same for phases. Traces have none: there, the row ROLE of the table of
  /// steps stands in.
  void restsOn(std::vector<PhasePlace> Places, const char *TimeRole,
               int64_t SavesNs) {
    std::string Rows;
    for (const PhasePlace &Each : Places)
      Rows += (Rows.empty() ? "" : "; ") + Each.text();
    // Each of the threads would save its part, all at the same time.
    restsOn(Places.empty() ? TimeRole : std::move(Rows),
            SavesNs / static_cast<int64_t>(Threads));
    Found.back().Places = std::move(Places);
  }

  void aboutSteps(const StepTime &Time, const FirstDraws &First,
                  const RanksVerdict &OfRanks) {
    if (!Time.HasSteps)
      return;
    double Loading =
        Time.hasShortDraws() ? 0 : part(Time.InputIdleNs, Time.DeviceNs) * 100;
    if (Loading > MostLoading * 100)
      add("data_loading", Loading,
          "{:.1f}% of the step time is spent waiting for data{}: {}.", Loading,
          Time.HasGpu && Time.IsExact ? " while the GPU idles" : "",
          IsPyTorch ? "give the DataLoader more workers (num_workers), "
                      "or make samples cheaper"
          : First.isMost() && !Time.HasGpu // else it may be hidden
              ? "most of it in first steps: keep the loader from "
                "one execution of the loop to the next, or start "
                "it before the loop"
              : "prepare batches in advance on other threads, or "
                "make samples cheaper");
    if (Loading > MostLoading * 100)
      restsOn(placesWith(Time, inputOf), "DataLoader",
              partOf(Time.HostNs, Time.InputIdleNs, Time.DeviceNs));
    double Talking = part(Time.CommunicationNs, Time.DeviceNs) * 100;
    if (!OfRanks.Remedy.empty()) {
      add("late_rank", OfRanks.LostPart * 100, "{}", OfRanks.Remedy);
      std::vector<PhasePlace> Places;
      if (!OfRanks.Phase.empty())
        Places.push_back(
            {OfRanks.Phase, std::string(fileName(OfRanks.File)), OfRanks.Line});
      restsOn(std::move(Places), "", partOf(Time.HostNs, OfRanks.LostPart));
    } else if (Talking > MostCommunication * 100) {
      add("communication", Talking,
          "{:.1f}% of the step time is {}: {}accumulate "
          "gradients over several batches or use larger batches.",
          Talking, Time.communicationWords(),
          IsPyTorch || !OfRanks.Text.empty()
              ? ""
              : "`loopscope report --view ranks` shows how much of it is "
                "waiting for a late rank; to transfer less, ");
      restsOn(placesWith(Time, communicationOf), "Communication",
              partOf(Time.HostNs, Time.CommunicationNs, Time.DeviceNs));
    }
  }

  /// What the host did, as far as devices don't hide it.
  void aboutHost(const StepTime &Time) {
    if (!Time.HasSteps)
      return;
    int64_t Whole = wholeOf(Time);
    int64_t Most = partOf(Whole, Time.idleNs(), Time.DeviceNs);
    auto Add = [&](const char *Rule, int64_t Ns, UseOf Use,
                   const std::string &What, const std::string &Remedy) {
      int64_t Saves = Time.HasGpu ? std::min(Ns, Most) : Ns;
      if (part(Saves, Whole) < WorthAdvice)
        return;
      double Figure = part(Ns, Whole) * 100;
      add(Rule, Figure, "{:.1f}% of the step time {}: {}.", Figure, What,
          Remedy);
      restsOn(placesWith(Time, Use), "", Saves);
    };
    Add("profiler", sumOf(Time, hooksOf), hooksOf,
        "is taken by Loopscope's own hooks",
        "mark fewer places; a run without Loopscope doesn't spend it");
    Add("throttled", Time.ThrottledNs, starvedOf,
        "is lost to the control group's CPU limit",
        "raise the limit, or run fewer threads");
    Add("starved", sumOf(Time, starvedOf), starvedOf,
        "goes by with threads ready to run but without a CPU",
        "run fewer threads or programs, or use more CPUs");
    int64_t Waiting = sumOf(Time, waitingAloneOf);
    bool IsMarked = sumOf(Time, markedWaitOf) > Waiting / 2;
    bool MaybeReady = sumOf(Time, maybeReadyOf) > Waiting / 2;
    Add("blocked", Waiting, waitingAloneOf,
        IsMarked ? "goes to batches in places that are marked as waits"
        : MaybeReady
            ? "goes to batches off the CPU, waiting for something that "
              "isn't recorded, or ready to run"
            : "goes to batches waiting off the CPU, for something "
              "that isn't recorded",
        "overlap the wait with other work");
    Add("other_threads", sumOf(Time, besideThreadsOf), besideThreadsOf,
        "goes to batches waiting while other threads of the program compute",
        "make that work cheaper, spread it over more threads, or let the "
        "waiting thread do a part of it");
    Add("page_faults", sumOf(Time, faultingOf), faultingOf,
        "goes to page faults", "reuse memory instead of allocating it again");
    Add("computing", sumOf(Time, computingOf), computingOf,
        "goes to batches running on the CPU",
        "make that work cheaper or spread it over more CPUs; `perf` "
        "shows whether it computes or waits for memory");
  }

  void aboutLaunches(const StepTime &Time) {
    if (Time.Kernels < FewestKernels)
      return;
    double Short = static_cast<double>(Time.ShortKernels) /
                   static_cast<double>(Time.Kernels);
    if (Short > MostShortKernels)
      add("short_kernels", Short * 100,
          "{} of {} kernels take less time than their launch: fuse {} or "
          "replay them as a CUDA graph.",
          Time.ShortKernels, Time.Kernels,
          IsPyTorch ? "operators (torch.compile)" : "them");
    if (Short > MostShortKernels)
      // At most what the devices idle meanwhile.
      restsOn(IsPyTorch ? "Runtime" : "launch calls",
              std::min(Time.LaunchNs,
                       partOf(Time.HostNs, Time.idleNs(), Time.DeviceNs)));
  }

  void aboutUtilization(const std::vector<GpuUse> &Gpus) {
    for (const GpuUse &Gpu : Gpus)
      if (Gpu.Utilization < LeastUtilization) {
        add("gpu_utilization", Gpu.Utilization * 100,
            "GPU {} runs kernels for {:.1f}% of the time: a larger batch "
            "gives it more to do.",
            Gpu.Device, Gpu.Utilization * 100);
        restsOn(gpuRow(Gpu.Device));
      }
  }

  void aboutKernels(const std::vector<GpuUse> &Gpus) {
    for (const GpuUse &Gpu : Gpus) {
      if (Gpu.SmEfficiency >= 0 &&
          Gpu.SmEfficiency < LeastSmEfficiency * Gpu.Utilization) {
        add("sm_efficiency", Gpu.SmEfficiency * 100,
            "GPU {}'s estimated SM efficiency is {:.1f}% while kernels run for "
            "{:.1f}% of the time: they launch too few blocks to fill the "
            "device.",
            Gpu.Device, Gpu.SmEfficiency * 100, Gpu.Utilization * 100);
        restsOn(gpuRow(Gpu.Device));
      }
      if (Gpu.Occupancy >= 0 && Gpu.Occupancy < LeastOccupancy * 100) {
        add("occupancy", Gpu.Occupancy,
            "GPU {}'s estimated achieved occupancy is {:.1f}%: kernels use too "
            "many registers or too much shared memory per thread, or launch "
            "too few threads.",
            Gpu.Device, Gpu.Occupancy);
        restsOn(gpuRow(Gpu.Device));
      }
    }
  }

  void aboutTensorCores(const RunInfo &Trace,
                        const std::vector<OperatorRow> &Operators,
                        const std::vector<KernelRow> &Kernels) {
    bool HaveThem =
        mayHaveTensorCores(Trace.Properties) &&
        std::any_of(Trace.Properties.begin(), Trace.Properties.end(),
                    [](const DeviceProperties &Device) {
                      return Device.ComputeMajor >= FirstTensorCores;
                    });
    bool MayUseThem =
        std::any_of(Kernels.begin(), Kernels.end(), [&](const KernelRow &Each) {
          return usesTensorCores(Each.Name) || isWholeGraph(Each.Name);
        });
    int64_t Eligible = 0, Longest = 0;
    std::string Row;
    auto Add = [&](const std::string &Name, int64_t Ns) {
      Eligible = saturatingAdd(Eligible, Ns);
      if (Ns > Longest) {
        Longest = Ns;
        Row = Name;
      }
    };
    for (const OperatorRow &Each : Operators)
      if (IsPyTorch && isMatrixOperator(Each.Name))
        Add(Each.Name, Each.DeviceSelf);
    for (const KernelRow &Each : Kernels)
      if (!IsPyTorch && isMatrixKernel(Each.Name))
        Add(Each.Name, Each.Total);
    if (HaveThem && !MayUseThem && Eligible > 0) {
      addIn("s", "tensor_cores", static_cast<double>(Eligible) / 1e9,
            "No kernel uses tensor cores, though matrix {} take {} of "
            "device time: train in mixed precision{} or allow TF32.",
            IsPyTorch ? "operators" : "kernels",
            readableDuration(static_cast<double>(Eligible) / 1e9),
            IsPyTorch ? " (torch.autocast)" : "");
      restsOn(Row, Eligible);
      Found.back().OfOperators = IsPyTorch;
    }
  }

  void aboutMemory(const RunInfo &Trace) {
    for (const auto &[Device, Peak] : Trace.PeakMemory)
      for (const DeviceProperties &Known : Trace.Properties) {
        if (Known.Id != Device || Known.TotalMemory <= 0)
          continue;
        double Share = static_cast<double>(Peak) /
                       static_cast<double>(Known.TotalMemory) * 100;
        if (Share > MostMemory * 100) {
          add("memory", Share,
              "GPU {}'s memory use peaks at {:.1f}% of the device's memory: "
              "smaller batches, mixed precision or activation checkpointing "
              "reduce it.",
              Device, Share);
          restsOn(gpuRow(Device));
        }
      }
  }
};

} // namespace

std::string Advice::line() const {
  std::string More =
      SavesNs < 0
          ? ""
          : fmt::format("saves at most {}",
                        readableDuration(static_cast<double>(SavesNs) / 1e9));
  if (!Rows.empty())
    More += fmt::format("{}see {}", More.empty() ? "" : "; ", Rows);
  return More.empty() ? Text : fmt::format("{} ({})", Text, More);
}

std::vector<Advice> advise(const Figures &Of) {
  if (Of.Time && !Of.Time->Doubt.empty())
    return {};
  Adviser Rules(*Of.About.By, Of.Time ? Of.Time->Threads : 1);
  if (Of.Time) {
    Rules.aboutSteps(*Of.Time, Of.FirstSteps, Of.About.OfRanks);
    Rules.aboutHost(*Of.Time);
  }
  Rules.aboutUtilization(Of.Steps.Gpus);
  if (Of.Time)
    Rules.aboutLaunches(*Of.Time);
  Rules.aboutKernels(Of.Steps.Gpus);
  Rules.aboutTensorCores(Of.About, Of.Operators, Of.Kernels);
  Rules.aboutMemory(Of.About);
  sortLargestFirst(Rules.Found, &Advice::SavesNs);
  return std::move(Rules.Found);
}

} // namespace loopscope
