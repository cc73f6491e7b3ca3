// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's PM sampling over the simulated devices, strictly according to its
// headers: structs of exactly the running version's size, calls in their order,
// one sampler a device, one pass only. There is no cuptiPmSamplingDisable,
// because it is said to end all of CUPTI.

#include "Cupti.h"
#include "Hardware.h"
#include "Scenario.h"
#include "Truth.h"

#include "gpu/pm_abi.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace replay;
namespace cupti = loopscope::runtime::cupti;

namespace {
constexpr cupti::Result InvalidParameter = 1;
constexpr cupti::Result InvalidOperation = 7;
constexpr cupti::Result InvalidMetric = 17;
constexpr cupti::Result NotSupported = 27;
constexpr uint32_t ImageMark = 0x504d534d;
constexpr size_t AvailabilityBytes = 64;

struct Metric {
  const char *Name;
  double HardwareRates::*Rate;
};
// Those of one chip; others are refused.
constexpr Metric Metrics[] = {
    {"TPC.TriageCompute.sm__cycles_active.avg.pct_of_peak_sustained_elapsed",
     &HardwareRates::Sm},
    {"TPC.TriageCompute.sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_"
     "sustained_elapsed",
     &HardwareRates::Tensor},
    {"dram__read_throughput.avg.pct_of_peak_sustained_elapsed",
     &HardwareRates::Dram},
    {"dram__write_throughput.avg.pct_of_peak_sustained_elapsed", nullptr},
    {"PCI.TriageCompute.pcie__read_bytes.sum.per_second",
     &HardwareRates::ToDevice},
    {"PCI.TriageCompute.pcie__write_bytes.sum.per_second",
     &HardwareRates::FromDevice},
};
const Metric *metricNamed(const char *Name) {
  const auto *Found = std::find_if(
      std::begin(Metrics), std::end(Metrics),
      [=](const Metric &M) { return std::strcmp(M.Name, Name) == 0; });
  return Found == std::end(Metrics) ? nullptr : Found;
}

struct Host {
  std::vector<std::string> Added;
  size_t Passes = 0;
  bool IsBad = false;
  bool IsOver = false;
};
// One that isn't deinitialised.
Host &hostOf(void *Handle) {
  auto &Of = *static_cast<Host *>(Handle);
  if (Of.IsOver)
    std::abort();
  return Of;
}
struct Config {
  uint32_t Mark;
  uint32_t Passes;
};
struct Sample {
  uint64_t Start, End;
  HardwareRates Rates;
};
// At the start of a data image.
struct DataHead {
  uint32_t Mark;
  uint32_t Most;
  uint32_t Used;
};
struct Sampler {
  uint32_t Device = 0;
  bool IsConfigured = false;
  bool IsRunning = false;
  bool KeepsLatest = false;
  uint64_t Interval = 0;
  uint64_t Next = 0;         // the start of the next sample
  uint64_t Ended = 0;        // of a stopped one
  std::deque<Sample> Buffer; // the hardware's
  bool Overflown = false;
  uint32_t Most = 0;
};
std::mutex Mutex;
std::map<uint32_t, Sampler> Samplers;
std::deque<Host> Hosts;
bool IsInitialised = false;
std::atomic<unsigned> Running{0};

size_t passesOf(size_t Count) {
  unsigned Most = scenario().PmMetrics;
  return Most == 0 || Count == 0 ? 1 : (Count + Most - 1) / Most;
}

// Whether SIZE isn't WANTED.
template <typename T> bool isWrong(const T *P, size_t Wanted = sizeof(T)) {
  return P == nullptr || P->Size != Wanted || P->Private != nullptr;
}

Sampler *samplerOf(void *Handle) {
  for (auto &[Id, Each] : Samplers)
    if (&Each == Handle)
      return &Each;
  return nullptr;
}

bool hasDevice(size_t Id) {
  const auto &All = scenario().Devices;
  return std::any_of(All.begin(), All.end(),
                     [=](const DeviceModel &M) { return M.Id == Id; });
}

// What the hardware has written until now, or until it stopped.
void measure(Sampler &S) {
  uint64_t Until = S.IsRunning ? timestamp() : S.Ended;
  size_t Room = scenario().PmBuffer;
  for (; S.Next + S.Interval <= Until; S.Next += S.Interval) {
    if (S.Buffer.size() >= Room) {
      S.Overflown = true;
      if (!S.KeepsLatest)
        continue;
      S.Buffer.pop_front();
    }
    uint64_t Ahead = scenario().PmAheadNs;
    S.Buffer.push_back(
        {S.Next + Ahead, S.Next + S.Interval + Ahead,
         hardwareBetween(S.Device, S.Next, S.Next + S.Interval)});
  }
}

const Sample *samplesIn(const uint8_t *Data) {
  return reinterpret_cast<const Sample *>(Data + 64);
}

cupti::Result outcome(const char *Function, cupti::Result Code) {
  cupti::Result Wanted = scenarioResult(Function);
  return Wanted != cupti::Success ? Wanted : Code;
}
} // namespace

extern "C" {
int replayIsSampling(void) { return Running != 0; }

cupti::Result cuptiProfilerInitialize(cupti::ProfilerInitialize *P) {
  std::lock_guard Lock(Mutex);
  IsInitialised = !isWrong(P);
  return outcome("cuptiProfilerInitialize",
                 IsInitialised ? cupti::Success : InvalidParameter);
}

cupti::Result cuptiDeviceGetChipName(cupti::ChipName *P) {
  if (isWrong(P) || !hasDevice(P->Device))
    return InvalidParameter;
  P->Name = "GH100";
  return outcome("cuptiDeviceGetChipName", cupti::Success);
}

cupti::Result cuptiPmSamplingGetCounterAvailability(cupti::Availability *P) {
  if (isWrong(P) || !hasDevice(P->Device))
    return InvalidParameter;
  if (P->Image == nullptr)
    P->ImageSize = AvailabilityBytes;
  else if (P->ImageSize < AvailabilityBytes)
    return InvalidParameter;
  else
    std::memcpy(P->Image, &ImageMark, sizeof(ImageMark));
  return outcome("cuptiPmSamplingGetCounterAvailability",
                 IsInitialised ? cupti::Success : InvalidOperation);
}

cupti::Result cuptiProfilerHostInitialize(cupti::HostInitialize *P) {
  if (isWrong(P, cupti::hostInitializeSize(scenario().CuptiVersion)) ||
      P->Kind != cupti::KindPmSampling || P->Chip == nullptr ||
      P->Availability == nullptr ||
      std::memcmp(P->Availability, &ImageMark, sizeof(ImageMark)) != 0)
    return InvalidParameter;
  std::lock_guard Lock(Mutex);
  Hosts.emplace_back();
  P->Host = &Hosts.back();
  return outcome("cuptiProfilerHostInitialize", cupti::Success);
}

cupti::Result cuptiProfilerHostDeinitialize(cupti::OfHost *P) {
  if (isWrong(P) || P->Host == nullptr)
    return InvalidParameter;
  hostOf(P->Host).IsOver = true;
  return outcome("cuptiProfilerHostDeinitialize", cupti::Success);
}

cupti::Result cuptiProfilerHostConfigAddMetrics(cupti::AddMetrics *P) {
  if (isWrong(P) || P->Host == nullptr || P->Count == 0)
    return InvalidParameter;
  Host &Of = hostOf(P->Host);
  // As in 12.6, 12.9 and 13.0: after a refused name, all is refused.
  if (Of.IsBad)
    return cupti::Unknown;
  for (size_t I = 0; I < P->Count; ++I)
    Of.IsBad |= metricNamed(P->Names[I]) == nullptr;
  if (Of.IsBad)
    return InvalidParameter;
  Of.Added.insert(Of.Added.end(), P->Names, P->Names + P->Count);
  // As there: what another call adds isn't measured in the same pass.
  Of.Passes += passesOf(P->Count);
  return outcome("cuptiProfilerHostConfigAddMetrics", cupti::Success);
}

cupti::Result cuptiProfilerHostGetConfigImageSize(cupti::ConfigSize *P) {
  if (isWrong(P) || P->Host == nullptr)
    return InvalidParameter;
  P->ImageSize = sizeof(Config);
  return outcome("cuptiProfilerHostGetConfigImageSize", cupti::Success);
}

cupti::Result cuptiProfilerHostGetConfigImage(cupti::ConfigImage *P) {
  if (isWrong(P) || P->Host == nullptr || P->Image == nullptr ||
      P->ImageSize < sizeof(Config))
    return InvalidParameter;
  Config Made = {ImageMark, static_cast<uint32_t>(hostOf(P->Host).Passes)};
  std::memcpy(P->Image, &Made, sizeof(Made));
  return outcome("cuptiProfilerHostGetConfigImage", cupti::Success);
}

cupti::Result cuptiProfilerHostGetNumOfPasses(cupti::PassCount *P) {
  if (isWrong(P) || P->Image == nullptr || P->ImageSize < sizeof(Config))
    return InvalidParameter;
  Config Of;
  std::memcpy(&Of, P->Image, sizeof(Of));
  if (Of.Mark != ImageMark)
    return InvalidParameter;
  P->Passes = Of.Passes;
  return outcome("cuptiProfilerHostGetNumOfPasses", cupti::Success);
}

cupti::Result cuptiPmSamplingEnable(cupti::EnableSampling *P) {
  if (isWrong(P) || !hasDevice(P->Device))
    return InvalidParameter;
  cupti::Result Code = outcome("cuptiPmSamplingEnable", cupti::Success);
  if (Code != cupti::Success)
    return Code;
  std::lock_guard Lock(Mutex);
  auto [At, IsNew] = Samplers.try_emplace(static_cast<uint32_t>(P->Device));
  if (!IsNew || !IsInitialised)
    return InvalidOperation;
  At->second.Device = static_cast<uint32_t>(P->Device);
  P->Sampler = &At->second;
  return cupti::Success;
}

cupti::Result cuptiPmSamplingSetConfig(cupti::SamplingConfig *P) {
  uint32_t Version = scenario().CuptiVersion;
  std::lock_guard Lock(Mutex);
  Sampler *S = P == nullptr ? nullptr : samplerOf(P->Sampler);
  if (S == nullptr || isWrong(P, cupti::samplingConfigSize(Version)) ||
      P->ImageSize < sizeof(Config) || P->HardwareBytes == 0 ||
      P->Interval == 0)
    return InvalidParameter;
  Config Of;
  std::memcpy(&Of, P->Image, sizeof(Of));
  if (Of.Mark != ImageMark || Of.Passes != 1)
    return InvalidParameter;
  for (const DeviceModel &M : scenario().Devices)
    if (M.Id == S->Device && M.Major == 8 && M.Minor == 0 &&
        P->Trigger == cupti::TimeTrigger)
      return NotSupported;
  S->IsConfigured = true;
  S->Interval = P->Interval;
  S->KeepsLatest = Version >= cupti::FirstWithAppendMode &&
                   P->AppendMode == cupti::KeepLatest;
  return outcome("cuptiPmSamplingSetConfig", cupti::Success);
}

cupti::Result cuptiPmSamplingGetCounterDataSize(cupti::DataSize *P) {
  std::lock_guard Lock(Mutex);
  Sampler *S = P == nullptr ? nullptr : samplerOf(P->Sampler);
  if (S == nullptr || isWrong(P) || P->Count == 0 || P->MostSamples == 0)
    return InvalidParameter;
  S->Most = P->MostSamples;
  P->Bytes = 64 + P->MostSamples * sizeof(Sample);
  return outcome("cuptiPmSamplingGetCounterDataSize", cupti::Success);
}

cupti::Result
cuptiPmSamplingCounterDataImageInitialize(cupti::DataInitialize *P) {
  std::lock_guard Lock(Mutex);
  Sampler *S = P == nullptr ? nullptr : samplerOf(P->Sampler);
  if (S == nullptr || isWrong(P) || S->Most == 0 ||
      P->Bytes < 64 + S->Most * sizeof(Sample))
    return InvalidParameter;
  DataHead Head = {ImageMark, S->Most, 0};
  std::memcpy(P->Data, &Head, sizeof(Head));
  return outcome("cuptiPmSamplingCounterDataImageInitialize", cupti::Success);
}

cupti::Result cuptiPmSamplingStart(cupti::OfSampler *P) {
  std::lock_guard Lock(Mutex);
  Sampler *S = P == nullptr ? nullptr : samplerOf(P->Sampler);
  if (S == nullptr || isWrong(P))
    return InvalidParameter;
  if (!S->IsConfigured || S->IsRunning)
    return InvalidOperation;
  S->IsRunning = true;
  S->Next = timestamp();
  S->Buffer.clear();
  S->Overflown = false;
  ++Running;
  return outcome("cuptiPmSamplingStart", cupti::Success);
}

cupti::Result cuptiPmSamplingStop(cupti::OfSampler *P) {
  std::lock_guard Lock(Mutex);
  Sampler *S = P == nullptr ? nullptr : samplerOf(P->Sampler);
  if (S == nullptr || isWrong(P))
    return InvalidParameter;
  if (!S->IsRunning)
    return InvalidOperation;
  S->Ended = timestamp();
  S->IsRunning = false;
  --Running;
  return outcome("cuptiPmSamplingStop", cupti::Success);
}

// Hands over as many samples as the image has room for, or as the scenario
// says.
cupti::Result cuptiPmSamplingDecodeData(cupti::DecodeData *P) {
  cupti::Result Code = outcome("cuptiPmSamplingDecodeData", cupti::Success);
  std::lock_guard Lock(Mutex);
  Sampler *S = P == nullptr ? nullptr : samplerOf(P->Sampler);
  if (S == nullptr || isWrong(P, cupti::DecodeDataSize) || P->Data == nullptr)
    return InvalidParameter;
  DataHead Head;
  std::memcpy(&Head, P->Data, sizeof(Head));
  if (Head.Mark != ImageMark || !S->IsConfigured)
    return InvalidOperation;
  if (Code != cupti::Success)
    return Code;
  measure(*S);
  P->Overflow = S->Overflown ? 1 : 0;
  if (S->Overflown && !S->KeepsLatest)
    return cupti::OutOfMemory;
  S->Overflown = false;
  unsigned Piece = scenario().PmPiece == 0 ? UINT32_MAX : scenario().PmPiece;
  auto *Into = reinterpret_cast<Sample *>(P->Data + 64);
  P->StopReason = cupti::EndOfRecords;
  for (unsigned Taken = 0; !S->Buffer.empty(); ++Taken) {
    if (Head.Used == Head.Most || Taken == Piece) {
      P->StopReason = Head.Used == Head.Most ? 1 : 0;
      break;
    }
    const Sample &First = S->Buffer.front();
    noteSample(S->Device, First.Start, First.End, First.Rates.Sm);
    Into[Head.Used++] = First;
    S->Buffer.pop_front();
  }
  std::memcpy(P->Data, &Head, sizeof(Head));
  return cupti::Success;
}

cupti::Result cuptiPmSamplingGetCounterDataInfo(cupti::DataInfo *P) {
  if (isWrong(P) || P->Data == nullptr)
    return InvalidParameter;
  DataHead Head;
  std::memcpy(&Head, P->Data, sizeof(Head));
  P->Total = Head.Most;
  P->Populated = P->Completed = Head.Used;
  return outcome("cuptiPmSamplingGetCounterDataInfo", cupti::Success);
}

cupti::Result cuptiPmSamplingCounterDataGetSampleInfo(cupti::SampleInfo *P) {
  if (isWrong(P) || P->Data == nullptr)
    return InvalidParameter;
  DataHead Head;
  std::memcpy(&Head, P->Data, sizeof(Head));
  if (P->Index >= Head.Used)
    return InvalidParameter;
  P->Start = samplesIn(P->Data)[P->Index].Start;
  P->End = samplesIn(P->Data)[P->Index].End;
  return outcome("cuptiPmSamplingCounterDataGetSampleInfo", cupti::Success);
}

cupti::Result cuptiProfilerHostEvaluateToGpuValues(cupti::Evaluate *P) {
  if (isWrong(P) || P->Data == nullptr || P->Host == nullptr)
    return InvalidParameter;
  DataHead Head;
  std::memcpy(&Head, P->Data, sizeof(Head));
  if (P->Index >= Head.Used)
    return InvalidParameter;
  const auto &Added = hostOf(P->Host).Added;
  for (size_t I = 0; I < P->Count; ++I) {
    const Metric *Of = metricNamed(P->Names[I]);
    if (Of == nullptr ||
        std::find(Added.begin(), Added.end(), P->Names[I]) == Added.end())
      return InvalidMetric;
    P->Values[I] =
        Of->Rate == nullptr ? 0 : samplesIn(P->Data)[P->Index].Rates.*Of->Rate;
    if (scenario().PmNoNumbers)
      P->Values[I] = std::nan("");
  }
  return outcome("cuptiProfilerHostEvaluateToGpuValues", cupti::Success);
}
}
