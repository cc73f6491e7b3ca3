// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and their work, from a profile's own facts and samples.

#include "Analysis/Tree/DeviceNames.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

using namespace loopscope;

int64_t loopscope::deviceNumber(const Run &R, uint32_t Device) {
  if (Device >= R.Gpu.Devices.size())
    return -1;
  return R.Gpu.Devices[Device].Process.empty() ? R.Gpu.Devices[Device].Id
                                               : Device;
}

std::vector<DeviceProperties> loopscope::deviceProperties(const Run &R) {
  std::vector<DeviceProperties> Result = R.Properties;
  for (uint32_t I = 0; I < R.Gpu.Devices.size(); ++I) {
    const GpuDevice &D = R.Gpu.Devices[I];
    DeviceProperties Next;
    Next.Id = deviceNumber(R, I);
    Next.Name =
        D.Process.empty() ? D.Name : fmt::format("{} ({})", D.Name, D.Process);
    Next.TotalMemory = D.TotalMemory;
    Next.ComputeMajor = D.ComputeMajor;
    Next.ComputeMinor = D.ComputeMinor;
    Result.push_back(std::move(Next));
  }
  return Result;
}

std::map<int64_t, int64_t> loopscope::peakMemory(const Run &R) {
  constexpr double Most = 9e18; // what a hostile file may say
  std::map<int64_t, int64_t> Result = R.PeakMemory;
  for (uint32_t I = 0; I < R.Gpu.Devices.size(); ++I) {
    const GpuDevice &D = R.Gpu.Devices[I];
    auto Peak = static_cast<double>(D.MemoryPeak);
    for (const MetricSum &Sum : R.Devices.Sums) {
      const Metric &M = R.Devices.Metrics[Sum.Metric];
      if (M.is(MetricId::MemoryUsed) && M.Device == D.Id &&
          M.Process == D.Process)
        Peak = std::max(Peak, Sum.Max);
    }
    if (Peak > 0)
      Result[deviceNumber(R, I)] = static_cast<int64_t>(std::min(Peak, Most));
  }
  return Result;
}

double loopscope::blocksPerSm(const Run &R, const GpuEvent &E) {
  if (E.Kind != LOOPSCOPE_GPU_KERNEL || E.Device >= R.Gpu.Devices.size() ||
      E.Grid[0] == 0 || R.Gpu.Devices[E.Device].Multiprocessors <= 0)
    return -1;
  return static_cast<double>(E.Grid[0]) * E.Grid[1] * E.Grid[2] /
         R.Gpu.Devices[E.Device].Multiprocessors;
}

std::string loopscope::deviceWorkName(const Run &R, const GpuEvent &E) {
  if (E.Kind == LOOPSCOPE_GPU_KERNEL)
    return E.Function == None ? "(name unknown)" : R.Gpu.Functions[E.Function];
  if (E.Kind == LOOPSCOPE_GPU_SET)
    return "Memset";
  switch (E.Direction) {
  case LOOPSCOPE_GPU_HOST_TO_DEVICE:
    return "Memcpy HtoD";
  case LOOPSCOPE_GPU_DEVICE_TO_HOST:
    return "Memcpy DtoH";
  case LOOPSCOPE_GPU_DEVICE_TO_DEVICE:
    return "Memcpy DtoD";
  case LOOPSCOPE_GPU_HOST_TO_HOST:
    return "Memcpy HtoH";
  case LOOPSCOPE_GPU_PEER_TO_PEER:
    return "Memcpy PtoP";
  default:
    return "Memcpy";
  }
}

const char *loopscope::gpuKindWord(loopscope_gpu_kind Kind) {
  switch (Kind) {
  case LOOPSCOPE_GPU_KERNEL:
    return "kernel";
  case LOOPSCOPE_GPU_COPY:
    return "copy";
  case LOOPSCOPE_GPU_SET:
    return "set";
  case LOOPSCOPE_GPU_LAUNCH_CALL:
    return "launch_call";
  case LOOPSCOPE_GPU_WAIT_CALL:
    return "wait_call";
  case LOOPSCOPE_GPU_OVERHEAD:
    return "cupti";
  default:
    return "cuda_call";
  }
}
