// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules, each with its threshold, and the verdict on steps by role.

#include "Analysis/Advice.h"

#include "Support/Numbers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace loopscope {
namespace {

constexpr double MostLoading = 0.05;       // of the step
constexpr double MostCommunication = 0.10; // of the step
constexpr double LeastUtilization = 0.50;
constexpr double MostShortKernels = 0.50;
constexpr uint64_t FewestKernels = 100;
constexpr double LeastSmEfficiency = 0.80; // of the utilization
constexpr double LeastOccupancy = 50;      // percent
constexpr double MostMemory = 0.90;
// Less than this part of the step time, in percent, bounds nothing.
constexpr double LeastBound = 5;
constexpr int64_t FirstTensorCores = 7; // compute capability

double shareOf(const StepAnalysis &Analysis, Role Which) {
  if (Analysis.AverageStep <= 0)
    return 0;
  return Analysis.AverageRoles[static_cast<size_t>(Which)] /
         Analysis.AverageStep;
}

/// True for kernels that do what tensor cores can.
bool isMatrixKernel(std::string_view Name) {
  constexpr std::array<std::string_view, 5> Marks = {"gemm", "Gemm", "GEMM",
                                                     "conv", "gemv"};
  return std::any_of(Marks.begin(), Marks.end(), [&](std::string_view Mark) {
    return Name.find(Mark) != std::string_view::npos;
  });
}

/// True for operators that tensor cores can run.
bool isMatrixOperator(std::string_view Name) {
  constexpr std::array<std::string_view, 10> Eligible = {
      "aten::mm",     "aten::addmm",   "aten::bmm",    "aten::matmul",
      "aten::linear", "aten::baddbmm", "aten::conv1d", "aten::conv2d",
      "aten::conv3d", "aten::lstm"};
  return std::find(Eligible.begin(), Eligible.end(), Name) != Eligible.end() ||
         Name.starts_with("aten::cudnn_convolution");
}

class Adviser {
public:
  explicit Adviser(Origin Of) : IsPyTorch(Of == Origin::Kineto) {}

  std::vector<Advice> Found;
  bool IsPyTorch;

  template <typename... Args>
  void add(const char *Rule, double Figure, fmt::format_string<Args...> Text,
           Args &&...Values) {
    addIn("%", Rule, Figure, Text, std::forward<Args>(Values)...);
  }

  template <typename... Args>
  void addIn(const char *Unit, const char *Rule, double Figure,
             fmt::format_string<Args...> Text, Args &&...Values) {
    Found.push_back(
        {Rule, Figure, Unit, fmt::format(Text, std::forward<Args>(Values)...)});
  }

  void aboutSteps(const StepAnalysis &Analysis) {
    double Loading = shareOf(Analysis, Role::DataLoader) * 100;
    if (Loading > MostLoading * 100)
      add("data_loading", Loading,
          "{:.1f} % of the step time is spent waiting for data: {}.", Loading,
          IsPyTorch ? "give the DataLoader more workers (num_workers) or "
                      "cheaper samples"
                    : "prepare batches ahead on other threads, or make "
                      "samples cheaper");
    double Talking = shareOf(Analysis, Role::Communication) * 100;
    if (Talking > MostCommunication * 100)
      add("communication", Talking,
          "{:.1f} % of the step time is communication that nothing overlaps: "
          "accumulate gradients over several batches or make batches larger.",
          Talking);
  }

  void aboutGpus(const StepAnalysis &Analysis) {
    for (const GpuUse &Gpu : Analysis.Gpus)
      if (Gpu.Utilization < LeastUtilization)
        add("gpu_utilization", Gpu.Utilization * 100,
            "GPU {} runs kernels {:.1f} % of the time: a larger batch gives it "
            "more to do.",
            Gpu.Device, Gpu.Utilization * 100);
    if (Analysis.LaunchedKernels >= FewestKernels) {
      double Short = static_cast<double>(Analysis.ShortKernels) /
                     static_cast<double>(Analysis.LaunchedKernels);
      if (Short > MostShortKernels)
        add("short_kernels", Short * 100,
            "{} of {} kernels run shorter than their launch takes: fuse "
            "{} or replay them as a CUDA graph.",
            Analysis.ShortKernels, Analysis.LaunchedKernels,
            IsPyTorch ? "operators (torch.compile)" : "them");
    }
    for (const GpuUse &Gpu : Analysis.Gpus) {
      if (Gpu.SmEfficiency >= 0 &&
          Gpu.SmEfficiency < LeastSmEfficiency * Gpu.Utilization)
        add("sm_efficiency", Gpu.SmEfficiency * 100,
            "GPU {}: estimated SM efficiency is {:.1f} % while kernels run "
            "{:.1f} % of the time: they launch too few blocks to fill the "
            "device.",
            Gpu.Device, Gpu.SmEfficiency * 100, Gpu.Utilization * 100);
      if (Gpu.Occupancy >= 0 && Gpu.Occupancy < LeastOccupancy)
        add("occupancy", Gpu.Occupancy,
            "GPU {}: estimated achieved occupancy is {:.1f} %: kernels use too "
            "many registers or too much shared memory per thread, or launch "
            "too few threads.",
            Gpu.Device, Gpu.Occupancy);
    }
  }

  void aboutTensorCores(const RunInfo &Trace,
                        const std::vector<OperatorRow> &Operators,
                        const std::vector<KernelRow> &Kernels) {
    bool HaveThem =
        std::any_of(Trace.Properties.begin(), Trace.Properties.end(),
                    [](const DeviceProperties &Device) {
                      return Device.ComputeMajor >= FirstTensorCores;
                    });
    bool UseThem =
        std::any_of(Kernels.begin(), Kernels.end(), [&](const KernelRow &Each) {
          return usesTensorCores(Each.Name);
        });
    int64_t Eligible = 0;
    for (const OperatorRow &Each : Operators)
      if (IsPyTorch && isMatrixOperator(Each.Name))
        Eligible = saturatingAdd(Eligible, Each.DeviceSelf);
    for (const KernelRow &Each : Kernels)
      if (!IsPyTorch && isMatrixKernel(Each.Name))
        Eligible = saturatingAdd(Eligible, Each.Total);
    if (HaveThem && !UseThem && Eligible > 0)
      addIn("s", "tensor_cores", static_cast<double>(Eligible) / 1e9,
            "No kernel uses tensor cores, though matrix {} take {} of "
            "device time: train in mixed precision{} or allow TF32.",
            IsPyTorch ? "operators" : "kernels",
            siDuration(static_cast<double>(Eligible) / 1e9),
            IsPyTorch ? " (torch.autocast)" : "");
  }

  void aboutMemory(const RunInfo &Trace) {
    for (const auto &[Device, Peak] : Trace.PeakMemory)
      for (const DeviceProperties &Known : Trace.Properties) {
        if (Known.Id != Device || Known.TotalMemory <= 0)
          continue;
        double Share = static_cast<double>(Peak) /
                       static_cast<double>(Known.TotalMemory) * 100;
        if (Share > MostMemory * 100)
          add("memory", Share,
              "GPU {}: memory peaks at {:.1f} % of what the device has: "
              "smaller batches, mixed precision or activation checkpointing "
              "make room.",
              Device, Share);
      }
  }
};

// What takes most of the average step bounds the run.
std::string verdict(const StepAnalysis &Analysis) {
  struct Bound {
    const char *Name;
    const char *Evidence;
    double Share;
  };
  auto Share = [&](Role Which) { return shareOf(Analysis, Which) * 100; };
  double Host = Share(Role::Runtime) + Share(Role::CpuExec);
  std::vector<Bound> Bounds = {
      {"input-bound", "waiting for data", Share(Role::DataLoader)},
      {"communication-bound", "communication", Share(Role::Communication)},
      {"copy-bound", "copies and sets of device memory",
       Share(Role::Memcpy) + Share(Role::Memset)}};
  if (Analysis.UsesGpu) {
    Bounds.push_back({"compute-bound", "kernels", Share(Role::Kernel)});
    Bounds.push_back({"launch-bound", "host work while the GPU idles", Host});
  } else {
    Bounds.push_back({"compute-bound", "operators on the CPU", Host});
  }
  std::stable_sort(
      Bounds.begin(), Bounds.end(),
      [](const Bound &A, const Bound &B) { return A.Share > B.Share; });
  if (Bounds.front().Share <= 0)
    return "Verdict: unknown, no time of the steps has a known use.";
  if (Bounds.front().Share < LeastBound)
    return fmt::format("Verdict: unknown, most of the step time has no known "
                       "use; the largest known part is {}, {:.1f} %.",
                       Bounds[0].Evidence, Bounds[0].Share);
  return fmt::format("Verdict: {}: {:.1f} % of the step time is {}; next is "
                     "{}, {:.1f} %.",
                     Bounds[0].Name, Bounds[0].Share, Bounds[0].Evidence,
                     Bounds[1].Evidence, Bounds[1].Share);
}

} // namespace

std::vector<Advice> advise(const Figures &Of) {
  Adviser Rules(Of.About.From);
  Rules.aboutSteps(Of.Steps);
  Rules.aboutGpus(Of.Steps);
  Rules.aboutTensorCores(Of.About, Of.Operators, Of.Kernels);
  Rules.aboutMemory(Of.About);
  return std::move(Rules.Found);
}

std::string verdictOf(const Figures &Of) {
  return Of.About.From == Origin::Kineto ? verdict(Of.Steps)
                                         : verdict(Of.Totals);
}

} // namespace loopscope
