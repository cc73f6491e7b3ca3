// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The figures of several traces as those of one run.

#include "Analysis/Verdict/Figures.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace loopscope {
namespace {

// What distinguishes a trace from the others of its run.
std::string processName(const RunInfo &Of) {
  std::string Name = Of.processName();
  return Of.Rank < 0 ? std::string(fileName(Name)) : Name;
}

/// Name, phase and inputs of an operator's row.
using OperatorKey = std::tuple<std::string, std::string, OperatorInputs>;

void addOperators(const std::vector<OperatorRow> &From,
                  std::map<OperatorKey, size_t> &RowOf,
                  std::vector<OperatorRow> &To) {
  for (const OperatorRow &Each : From) {
    auto [At, IsNew] =
        RowOf.try_emplace({Each.Name, Each.Phase, Each.Inputs}, To.size());
    if (IsNew) {
      To.push_back(Each);
      To.back().Nodes.clear(); // they are of one run of several
      continue;
    }
    OperatorRow &Row = To[At->second];
    Row.Calls += Each.Calls;
    for (int64_t OperatorRow::*Time :
         {&OperatorRow::HostSelf, &OperatorRow::HostTotal,
          &OperatorRow::DeviceSelf, &OperatorRow::DeviceTotal})
      Row.*Time = saturatingAdd(Row.*Time, Each.*Time);
    Row.HasStack |= Each.HasStack;
  }
}

// Means weighted by duration, over the traces that have the figure.
struct KernelSum {
  KernelRow Row;
  double BlocksNs = 0;
  double BlocksKnownNs = 0;
  double OccupancyNs = 0;
  double OccupancyKnownNs = 0;

  void add(const KernelRow &From) {
    if (Row.Calls == 0) {
      Row = From;
    } else {
      Row.Calls += From.Calls;
      Row.Total = saturatingAdd(Row.Total, From.Total);
      Row.Busy = Row.Busy < 0 || From.Busy < 0
                     ? -1
                     : saturatingAdd(Row.Busy, From.Busy);
      Row.Longest = std::max(Row.Longest, From.Longest);
      Row.Shortest = std::min(Row.Shortest, From.Shortest);
      Row.Untimed += From.Untimed;
    }
    auto Ns = static_cast<double>(From.Total);
    if (From.BlocksPerSm >= 0) {
      BlocksNs += From.BlocksPerSm * Ns;
      BlocksKnownNs += Ns;
    }
    if (From.Occupancy >= 0) {
      OccupancyNs += From.Occupancy * Ns;
      OccupancyKnownNs += Ns;
    }
  }

  KernelRow finished() {
    if (BlocksKnownNs > 0)
      Row.BlocksPerSm = BlocksNs / BlocksKnownNs;
    if (OccupancyKnownNs > 0)
      Row.Occupancy = OccupancyNs / OccupancyKnownNs;
    return std::move(Row);
  }
};

// Renumbers the devices that a trace worked on, so that no two devices share a
// number; their names say which process they belong to.
void addDevices(Figures &From, Figures &To) {
  std::map<int64_t, int64_t> NewNumber;
  auto Number = [&](int64_t Old) {
    return NewNumber
        .try_emplace(Old, static_cast<int64_t>(To.About.Properties.size() +
                                               NewNumber.size()))
        .first->second;
  };
  for (GpuUse &Gpu : From.Steps.Gpus)
    Gpu.Device = Number(Gpu.Device);
  for (const auto &[Device, Bytes] : From.About.PeakMemory)
    To.About.PeakMemory[Number(Device)] = Bytes;
  for (const auto &[Device, Bytes] : From.About.PeakReserved)
    To.About.PeakReserved[Number(Device)] = Bytes;
  for (const auto &[Process, Bytes] : From.About.PeakHostMemory)
    To.About.PeakHostMemory[processName(From.About)] = Bytes;
  std::map<int64_t, DeviceProperties> Found; // by new number
  for (auto [Old, New] : NewNumber) {
    DeviceProperties &Next = Found[New];
    for (const DeviceProperties &Known : From.About.Properties)
      if (Known.Id == Old)
        Next = Known;
    Next.Id = New;
    Next.Name = fmt::format("{}{}({})", Next.Name, Next.Name.empty() ? "" : " ",
                            processName(From.About));
  }
  for (auto &[New, Properties] : Found)
    To.About.Properties.push_back(std::move(Properties));
  To.Steps.Gpus.insert(To.Steps.Gpus.end(), From.Steps.Gpus.begin(),
                       From.Steps.Gpus.end());
}

void addSteps(StepAnalysis &From, const std::string &Process,
              StepAnalysis &To) {
  for (TraceStep &Step : From.Steps) {
    Step.Name = fmt::format("{}: {}", Process, Step.Name);
    To.Steps.push_back(std::move(Step));
  }
  To.UsesGpu |= From.UsesGpu;
  To.HasCommunication |= From.HasCommunication;
  To.HasWaits |= From.HasWaits;
  To.DroppedSteps += From.DroppedSteps;
  To.LateNs = std::max(To.LateNs, From.LateNs);
  To.NoStepMarks |= From.NoStepMarks;
  To.LaunchedKernels += From.LaunchedKernels;
  To.ShortKernels += From.ShortKernels;
}

void addMemory(MemoryOfSteps &From, const std::string &Process,
               MemoryOfSteps &To) {
  size_t FirstLane = To.Lanes.size();
  size_t FirstStep = To.Steps.size();
  for (const std::string &Each : From.Steps)
    To.Steps.push_back(fmt::format("{}: {}", Process, Each));
  for (const std::string &Each : From.Lanes)
    To.Lanes.push_back(fmt::format("{}: {}", Process, Each));
  for (StepMemory &Each : From.Rows) {
    Each.Step += FirstStep;
    Each.Lane += FirstLane;
    To.Rows.push_back(std::move(Each));
  }
  To.Unknown += From.Unknown;
  for (MemoryGrowth Each : From.Growths) {
    Each.Lane += FirstLane;
    To.Growths.push_back(Each);
  }
}

void addAbout(const RunInfo &From, RunInfo &To) {
  To.By = From.By;
  To.Path += (To.Path.empty() ? "" : " + ") + From.Path;
  if (To.Backend.empty())
    To.Backend = From.Backend;
  To.SchemaVersion = std::max(To.SchemaVersion, From.SchemaVersion);
  To.WorldSize = std::max(To.WorldSize, From.WorldSize);
  To.EventCount += From.EventCount;
  To.Cycles = std::max(To.Cycles, From.Cycles);
  addLosses(From.Lost, To.Lost);
}

} // namespace

Figures mergeFigures(std::vector<Figures> All) {
  Figures Out;
  Out.Files = 0;
  Out.HasSteps = true;
  Out.About.WorldSize = -1;
  std::map<OperatorKey, size_t> OperatorOf;
  std::map<std::pair<std::string, std::string>, KernelSum> Kernels;
  for (Figures &Each : All) {
    Out.Files += Each.Files;
    Out.HasOperators |= Each.HasOperators;
    Out.HasInputs |= Each.HasInputs;
    Out.UnownedDeviceTime =
        saturatingAdd(Out.UnownedDeviceTime, Each.UnownedDeviceTime);
    Out.SelfHostTime = saturatingAdd(Out.SelfHostTime, Each.SelfHostTime);
    Out.HasCudaCalls |= Each.HasCudaCalls;
    addOperators(Each.Operators, OperatorOf, Out.Operators);
    for (const KernelRow &Row : Each.Kernels)
      Kernels[{Row.Name, Row.Phase}].add(Row);
    addMemory(Each.Held, processName(Each.About), Out.Held);
    addSteps(Each.Steps, processName(Each.About), Out.Steps);
    if (Each.Time) {
      if (!Out.Time)
        Out.Time.emplace();
      addStepTime(*Each.Time, *Out.Time);
    }
    addDevices(Each, Out);
    addAbout(Each.About, Out.About);
  }
  for (auto &[Key, Sum] : Kernels)
    Out.Kernels.push_back(Sum.finished());
  sortKernels(Out.Kernels);
  averageSteps(Out.Steps);
  return Out;
}

} // namespace loopscope
