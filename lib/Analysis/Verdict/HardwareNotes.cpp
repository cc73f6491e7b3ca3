// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules follow Nsight Compute's: what is used most says what bounds, unless
// nothing that is measured is used much.

#include "Analysis/Verdict/HardwareNotes.h"

#include "Analysis/Thresholds.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <loopscope/run_settings.h>

#include <algorithm>
#include <cmath>

using namespace loopscope;

namespace {
struct Unit {
  HardwareId Id;
  const char *Name;
};
constexpr Unit Units[] = {{HardwareId::TensorActive, "tensor cores"},
                          {HardwareId::Fp64Active, "FP64 units"},
                          {HardwareId::Fp32Active, "FP32 units"},
                          {HardwareId::Fp16Active, "FP16 units"}};

struct Busiest {
  const Unit *Which = nullptr;
  double Part = 0;
};

double partOfPeak(const HardwareRow &R, HardwareId Id) {
  return R.mean(Id).value_or(0) / 100;
}

Busiest busiestUnit(const HardwareRow &R) {
  Busiest Found;
  for (const Unit &Each : Units)
    if (double Part = partOfPeak(R, Each.Id); Part > Found.Part)
      Found = {&Each, Part};
  return Found;
}

// The phases with figures below AT that have no such phase below them. Returns
// whether there is any.
bool findPhases(const HardwareByPath &All, const HardwareOfGpu &Of, uint32_t At,
                std::vector<uint32_t> &Found) {
  bool Any = false;
  for (uint32_t Child : All.Tree[At].Children)
    Any |= findPhases(All, Of, Child, Found);
  const Path &Its = All.Tree[At];
  bool IsPhase = !holdsIdleTime(Its.Kind) && Its.Kind != LOOPSCOPE_KIND_ROOT &&
                 Its.Kind != LOOPSCOPE_KIND_BATCH && !isFunction(Its.Kind);
  if (Any || !IsPhase || !Of.Paths[At].mean(HardwareId::SmActive))
    return Any;
  Found.push_back(At);
  return true;
}

// The step that keeps GPUs busy longest; None without figures.
uint32_t findStep(const HardwareByPath &All, const HardwareOfGpu &Of,
                  const GpuByNode &Gpu) {
  uint32_t Found = None;
  for (uint32_t I = 0; I < All.Tree.size(); ++I)
    if (All.Tree[I].Kind == LOOPSCOPE_KIND_STEP &&
        Of.Paths[I].mean(HardwareId::SmActive) &&
        (Found == None ||
         Gpu.busyNs(All.Tree[I].Gpu) > Gpu.busyNs(All.Tree[Found].Gpu)))
      Found = I;
  return Found;
}

// What is known of the busiest parts, for the middle of a sentence.
std::string figuresOf(const HardwareRow &R) {
  std::vector<std::string> Parts;
  auto Add = [&](HardwareId Id, const char *Form) {
    if (std::optional<double> Mean = R.mean(Id))
      Parts.push_back(fmt::format(fmt::runtime(Form), *Mean));
  };
  Add(HardwareId::SmActive, "SMs are busy for {:.0f}% of the time");
  Add(HardwareId::TensorActive, "tensor cores for {:.0f}%");
  Busiest Unit = busiestUnit(R);
  if (Unit.Which != nullptr && Unit.Which->Id != HardwareId::TensorActive &&
      Unit.Part >= HardwareWorthNaming)
    Parts.push_back(
        fmt::format("{} for {:.0f}%", Unit.Which->Name, Unit.Part * 100));
  Add(HardwareId::DramActive, "memory at {:.0f}% of its throughput");
  return fmt::format("{}", fmt::join(Parts, ", "));
}

// "In forward, measured for 62% of its GPU time, SMs are busy ..."
std::string sentenceOf(const Path &Its, const HardwareRow &R, int64_t BusyNs,
                       bool SaysBound, const std::string &Gpus) {
  double Measured = BusyNs <= 0
                        ? 0
                        : static_cast<double>(R.of(HardwareId::SmActive).Ns) /
                              static_cast<double>(BusyNs);
  std::string Of;
  if (!holdsIdleTime(Its.Kind) && BusyNs > 0 &&
      Measured < HardwareMostlyMeasured)
    Of = fmt::format(", measured for {:.0f}% of its GPU time", Measured * 100);
  std::string Bound = SaysBound ? hardwareBound(R) : "";
  return fmt::format("In {}{}{}, {}{}.", Its.Name, Of, Gpus, figuresOf(R),
                     Bound.empty() ? "" : ": " + Bound);
}

void addHeld(const HardwareRow &R, std::vector<std::string> &To) {
  static constexpr Unit Causes[] = {
      {HardwareId::HeldByPower, "the power limit"},
      {HardwareId::HeldByHeat, "heat"},
      {HardwareId::HeldByBrake, "the system's power brake"}};
  for (const Unit &Each : Causes) {
    double Part = std::min(1.0, partOfPeak(R, Each.Id));
    if (Part < HardwareHeldBack)
      continue;
    std::string Clock;
    if (std::optional<double> Hertz = R.mean(HardwareId::ClockOfSm))
      Clock = fmt::format("; the SMs ran at {:.0f} MHz", *Hertz / 1e6);
    To.push_back(fmt::format("{} held the clocks back for {:.0f}% of the time"
                             "{}.",
                             Each.Name, Part * 100, Clock));
    To.back()[0] = static_cast<char>(std::toupper(To.back()[0]));
  }
}

// CUPTI may lock the clocks while it samples.
std::string clockChange(const Run &R) {
  auto Before =
      static_cast<double>(R.Given.of(LOOPSCOPE_SETTING_GPU_CLOCK_BEFORE));
  auto During =
      static_cast<double>(R.Given.of(LOOPSCOPE_SETTING_GPU_CLOCK_DURING));
  if (Before <= 0 || During <= 0 ||
      std::abs(During / Before - 1) < HardwareClockChange)
    return "";
  return fmt::format("The SMs ran at {:.0f} MHz before PM sampling and at "
                     "{:.0f} MHz during it: CUPTI may lock the clocks "
                     "meanwhile, so without gpu-counters= times differ.",
                     Before / 1e6, During / 1e6);
}

// With steps of several loops, "a step" could be any of them.
bool isOnlyStep(const PathTree &Tree) {
  return std::ranges::count(Tree, LOOPSCOPE_KIND_STEP, &Path::Kind) == 1;
}

std::string energy(double Joules) {
  return Joules < 999.5 ? fmt::format("{:.3g} J", Joules)
                        : fmt::format("{:.3g} kJ", Joules / 1000);
}

void addEnergy(const HardwareByPath &All, const HardwareOfGpu &Of, uint32_t At,
               HardwareNotes &To) {
  std::optional<double> Watts = Of.All.mean(HardwareId::Power);
  if (!Watts)
    return;
  auto Count = static_cast<double>(All.Gpus.size());
  To.Watts = *Watts * Count;
  std::optional<double> Joules;
  if (At != None && isOnlyStep(All.Tree))
    Joules = joulesPerCall(Of.Paths[At], All.Tree[At]);
  if (Joules)
    To.StepEnergy = energy(*Joules * Count);
  To.Energy = fmt::format(
      "{} took {:.0f} W on average{}.",
      All.Gpus.size() == 1 ? "The GPU" : counted(All.Gpus.size(), "GPU"),
      *To.Watts,
      To.StepEnergy.empty() ? "" : fmt::format(", {} a step", To.StepEnergy));
}
} // namespace

std::string loopscope::hardwareBound(const HardwareRow &R) {
  for (HardwareId Each :
       {HardwareId::SmActive, HardwareId::TensorActive, HardwareId::DramActive})
    if (!R.mean(Each))
      return "";
  Busiest Unit = busiestUnit(R);
  double Memory = partOfPeak(R, HardwareId::DramActive);
  double Sms = partOfPeak(R, HardwareId::SmActive);
  if (Memory >= HardwareMemoryLimit && Memory > Unit.Part)
    return "at the limit of the GPU's memory";
  if (Memory >= HardwareBound && Memory > Unit.Part)
    return "bound by the GPU's memory";
  if (Unit.Part >= HardwareBound)
    return fmt::format("bound by the {}", Unit.Which->Name);
  if (Sms >= HardwareNeither)
    return "limited by neither memory nor floating-point units";
  if (Sms < HardwareEmpty)
    return "more than half of the SMs' time is empty";
  return "";
}

std::optional<double> loopscope::joulesPerCall(const HardwareRow &R,
                                               const Path &Of) {
  std::optional<double> Watts = R.mean(HardwareId::Power);
  if (!Watts || !holdsIdleTime(Of.Kind) || Of.Calls == 0)
    return std::nullopt;
  return *Watts * Of.Spans.meanNs() / NsPerSecond;
}

std::vector<std::string> HardwareNotes::all() const {
  std::vector<std::string> Result = Phases;
  Result.insert(Result.end(), HeldBack.begin(), HeldBack.end());
  if (!Clock.empty())
    Result.push_back(Clock);
  if (!Energy.empty())
    Result.push_back(Energy);
  return Result;
}

HardwareNotes loopscope::hardwareNotes(const Run &R) {
  HardwareNotes Result;
  if (R.Gpu.Uses.empty())
    return Result;
  GpuByNode Gpu(R);
  HardwareByPath All = hardwareByPath(R, Gpu);
  HardwareOfGpu Of = gpusTogether(All);
  uint32_t Step = findStep(All, Of, Gpu);
  std::vector<uint32_t> Named;
  findPhases(All, Of, 0, Named);
  sortLargestFirst(Named,
                   [&](uint32_t I) { return Gpu.busyNs(All.Tree[I].Gpu); });
  Named.resize(std::min(Named.size(), HardwareMostNamed));
  bool IsStep = Named.empty() && Step != None;
  if (IsStep)
    Named = {Step};
  std::string Gpus = All.Gpus.size() == 1
                         ? ""
                         : fmt::format(" (mean of {} GPUs)", All.Gpus.size());
  for (uint32_t I : Named) {
    const Path &Its = All.Tree[I];
    int64_t Busy = Gpu.kernelNs(Its.Gpu);
    // A step's idle time says nothing of its work.
    bool SaysBound = !IsStep || static_cast<double>(Busy) >=
                                    ComputeBound *
                                        static_cast<double>(Its.InclusiveNs) *
                                        static_cast<double>(All.Gpus.size());
    Result.Phases.push_back(
        sentenceOf(Its, Of.Paths[I], Gpu.busyNs(Its.Gpu), SaysBound, Gpus));
  }
  addHeld(Of.All, Result.HeldBack);
  Result.Clock = clockChange(R);
  addEnergy(All, Of, Step, Result);
  return Result;
}
