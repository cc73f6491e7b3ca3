// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of calls for PM sampling, and the metrics.

#include "pm_sampler.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
constexpr const char *PmNames[PmCalls] = {
    "cuptiProfilerInitialize",
    "cuptiDeviceGetChipName",
    "cuptiPmSamplingGetCounterAvailability",
    "cuptiProfilerHostInitialize",
    "cuptiProfilerHostDeinitialize",
    "cuptiProfilerHostConfigAddMetrics",
    "cuptiProfilerHostGetConfigImageSize",
    "cuptiProfilerHostGetConfigImage",
    "cuptiProfilerHostGetNumOfPasses",
    "cuptiProfilerHostEvaluateToGpuValues",
    "cuptiPmSamplingEnable",
    "cuptiPmSamplingSetConfig",
    "cuptiPmSamplingGetCounterDataSize",
    "cuptiPmSamplingCounterDataImageInitialize",
    "cuptiPmSamplingStart",
    "cuptiPmSamplingStop",
    "cuptiPmSamplingDecodeData",
    "cuptiPmSamplingGetCounterDataInfo",
    "cuptiPmSamplingCounterDataGetSampleInfo",
};

// A use is the sum of its metrics. Each has several names, of which chips know
// different ones; rows stand in order of what is given up first, from the end,
// if not all fit into one pass.
constexpr const char *Percent = ".avg.pct_of_peak_sustained_elapsed";
constexpr const char *BytesPerSecond = ".sum.per_second";
struct MetricRow {
  DeviceUseOf Use;
  const char *Suffix;
  const char *Names[4];
};
constexpr MetricRow MetricRows[] = {
    {DeviceUseOf::SmActive,
     Percent,
     {"TPC.TriageCompute.sm__cycles_active", "sm__cycles_active"}},
    {DeviceUseOf::TensorActive,
     Percent,
     {"TPC.TriageCompute.sm__pipe_tensor_cycles_active_realtime",
      "sm__pipe_tensor_cycles_active"}},
    {DeviceUseOf::DramActive,
     Percent,
     {"FBSP.TriageCompute.dramc__read_throughput",
      "FBSP.TriageCompute.dram__read_throughput", "dramc__read_throughput",
      "dram__read_throughput"}},
    {DeviceUseOf::DramActive,
     Percent,
     {"FBSP.TriageCompute.dramc__write_throughput",
      "FBSP.TriageCompute.dram__write_throughput", "dramc__write_throughput",
      "dram__write_throughput"}},
    {DeviceUseOf::PcieReceived,
     BytesPerSecond,
     {"PCI.TriageCompute.pcie__read_bytes", "pcie__read_bytes"}},
    {DeviceUseOf::PcieSent,
     BytesPerSecond,
     {"PCI.TriageCompute.pcie__write_bytes", "pcie__write_bytes"}},
    {DeviceUseOf::NvlinkReceived,
     BytesPerSecond,
     {"NVLRX.TriageCompute.nvlrx__bytes_packet_request_data_user",
      "nvlrx__bytes_packet_request_data_user"}},
    {DeviceUseOf::NvlinkReceived,
     BytesPerSecond,
     {"NVLRX.TriageCompute.nvlrx__bytes_packet_response_data_user",
      "nvlrx__bytes_packet_response_data_user"}},
    {DeviceUseOf::NvlinkSent,
     BytesPerSecond,
     {"NVLTX.TriageCompute.nvltx__bytes_packet_request_data_user",
      "nvltx__bytes_packet_request_data_user"}},
    {DeviceUseOf::NvlinkSent,
     BytesPerSecond,
     {"NVLTX.TriageCompute.nvltx__bytes_packet_response_data_user",
      "nvltx__bytes_packet_response_data_user"}},
};
constexpr uint32_t RowCount = sizeof(MetricRows) / sizeof(MetricRows[0]);
constexpr uint32_t bitOf(DeviceUseOf Use) {
  return 1U << static_cast<uint32_t>(Use);
}

// The hardware's buffer, as large as others' that sample 500 us apart.
constexpr size_t HardwareBytes = size_t(64) << 20;
constexpr uint32_t SamplesOfImage = 1024;

// What is said in place of CUPTI's error code.
void explainSampling(const Cupti &Api, const char *Function, cupti::Result Code,
                     Reason &Why) {
  const char *Name = nullptr;
  switch (Code) {
  case cupti::InsufficientPrivileges:
  case cupti::VirtualizedDeviceInsufficientPrivileges:
    explain(Api, Function, Code, "", Why);
    return;
  case cupti::HardwareBusy:
    Why << "another tool has the GPU's performance monitors (Nsight; DCGM, "
           "which lets go of them after dcgmi profile --pause)";
    return;
  default:
    if (Api.GetResultString(Code, &Name) != cupti::Success || Name == nullptr)
      Name = "an unknown error";
    Why << Function << " failed: " << Name << " (" << int64_t(Code) << ')';
  }
}
} // namespace

bool PmFunctions::find(const Cupti &Api) {
  void *Library = dlopen(Api.Path, RTLD_NOW | RTLD_NOLOAD);
  if (Library == nullptr)
    return false;
  bool All = true;
  for (uint32_t I = 0; I < PmCalls; ++I) {
    Of[I] =
        reinterpret_cast<cupti::Result (*)(void *)>(dlsym(Library, PmNames[I]));
    All &= Of[I] != nullptr;
  }
  dlclose(Library); // the session has it
  return All;
}

bool PmSampler::Image::allocate(size_t Wanted, Reason &Why) {
  if (Bytes != nullptr)
    munmap(Bytes, Size);
  Bytes = static_cast<uint8_t *>(mapMemory(Wanted));
  Size = Wanted;
  if (Bytes == nullptr)
    Why << "no memory for it";
  return Bytes != nullptr;
}

bool PmSampler::did(PmCall Call, void *Parameters, Reason &Why) {
  auto I = static_cast<uint32_t>(Call);
  cupti::Result Code = Functions->Of[I](Parameters);
  if (Code == cupti::Success)
    return true;
  explainSampling(*Api, PmNames[I], Code, Why);
  return false;
}

bool PmSampler::findChip(Reason &Why) {
  cupti::ProfilerInitialize First = {sizeof(First), nullptr};
  cupti::ChipName OfChip = {sizeof(OfChip), nullptr, Device, nullptr};
  cupti::Availability Of = {sizeof(Of), nullptr, Device, 0, nullptr};
  if (!did(PmCall::Initialize, &First, Why) ||
      !did(PmCall::GetChipName, &OfChip, Why) ||
      !did(PmCall::GetAvailability, &Of, Why) ||
      !Availability.allocate(Of.ImageSize, Why))
    return false;
  Chip = OfChip.Name;
  Of.Image = Availability.Bytes;
  return did(PmCall::GetAvailability, &Of, Why);
}

// Gets a host object in place of the last one.
bool PmSampler::beginHost(Reason &Why) {
  endHost();
  cupti::HostInitialize Begin = {};
  Begin.Size = cupti::hostInitializeSize(Api->Version);
  Begin.Kind = cupti::KindPmSampling;
  Begin.Chip = Chip;
  Begin.Availability = Availability.Bytes;
  if (!did(PmCall::InitializeHost, &Begin, Why))
    return false;
  Host = Begin.Host;
  return true;
}

void PmSampler::endHost() {
  cupti::OfHost End = {sizeof(End), nullptr, Host};
  if (Host != nullptr)
    Functions->Of[static_cast<uint32_t>(PmCall::DeinitializeHost)](&End);
  Host = nullptr;
}

bool PmSampler::canAdd(const char **Metrics, size_t MetricCount) {
  cupti::AddMetrics Add = {sizeof(Add), nullptr, Host, Metrics, MetricCount};
  return Functions->Of[static_cast<uint32_t>(PmCall::AddMetrics)](&Add) ==
         cupti::Success;
}

// Sets the names of the rows' metrics to the first that the chip knows, else
// "". The host objects are only for asking: metrics that are added one by one
// take a pass each.
bool PmSampler::findNames(Reason &Why) {
  if (!beginHost(Why))
    return false;
  for (uint32_t Row = 0; Row < RowCount; ++Row)
    for (const char *Each : MetricRows[Row].Names) {
      Text Name(Texts[Row], MostName);
      if (Each == nullptr)
        break;
      Name << Each << MetricRows[Row].Suffix;
      const char *Asked = Texts[Row];
      if (canAdd(&Asked, 1))
        break;
      Name.clear();
      if (!beginHost(Why)) // the last one refuses all from now on
        return false;
    }
  return true;
}

// Makes the configuration of the first rows, as far as their uses are known.
// PASSES: 0 if these metrics don't go together.
bool PmSampler::makeConfig(uint32_t RowsWanted, size_t &Passes, Reason &Why) {
  Passes = 0;
  Uses = 0;
  uint32_t Missing = 0;
  for (uint32_t Row = 0; Row < RowsWanted; ++Row)
    (Texts[Row][0] != 0 ? Uses : Missing) |= bitOf(MetricRows[Row].Use);
  Uses &= ~Missing;
  Count = 0;
  for (uint32_t Row = 0; Row < RowsWanted; ++Row)
    if ((Uses & bitOf(MetricRows[Row].Use)) != 0) {
      Names[Count] = Texts[Row];
      Rows[Count++] = Row;
    }
  if (Uses == 0) {
    Why << "CUPTI has none of its metrics for the chip " << Chip;
    return false;
  }
  if (!beginHost(Why))
    return false;
  if (!canAdd(Names, Count))
    return true;
  cupti::ConfigSize OfConfig = {sizeof(OfConfig), nullptr, Host, 0};
  if (!did(PmCall::GetConfigSize, &OfConfig, Why) ||
      !Config.allocate(OfConfig.ImageSize, Why))
    return false;
  cupti::ConfigImage Make = {sizeof(Make), nullptr, Host, Config.Size,
                             Config.Bytes};
  cupti::PassCount Of = {sizeof(Of), nullptr, Config.Size, Config.Bytes, 0};
  if (!did(PmCall::GetConfigImage, &Make, Why) ||
      !did(PmCall::GetPasses, &Of, Why))
    return false;
  Passes = Of.Passes;
  return true;
}

// Several passes would need the same work several times.
bool PmSampler::chooseMetrics(Reason &Why) {
  for (uint32_t Wanted = RowCount; Wanted != 0;) {
    size_t Passes = 0;
    if (!makeConfig(Wanted, Passes, Why))
      return false;
    if (Passes == 1)
      return true;
    for (DeviceUseOf Last = MetricRows[Wanted - 1].Use;
         Wanted != 0 && MetricRows[Wanted - 1].Use == Last;)
      --Wanted;
  }
  Why << "the GPU can't measure even one of its metrics in one pass";
  return false;
}

bool PmSampler::configure(uint64_t IntervalNs, Reason &Why) {
  cupti::EnableSampling Begin = {sizeof(Begin), nullptr, Device, nullptr};
  if (!did(PmCall::Enable, &Begin, Why))
    return false;
  Sampler = Begin.Sampler;
  cupti::SamplingConfig Set = {};
  Set.Size = cupti::samplingConfigSize(Api->Version);
  Set.Sampler = Sampler;
  Set.ImageSize = Config.Size;
  Set.Image = Config.Bytes;
  Set.HardwareBytes = HardwareBytes;
  Set.Interval = IntervalNs;
  Set.Trigger = cupti::TimeTrigger;
  Set.AppendMode = cupti::KeepLatest;
  cupti::DataSize Of = {sizeof(Of), nullptr,        Sampler, Names,
                        Count,      SamplesOfImage, 0};
  if (!did(PmCall::SetConfig, &Set, Why) ||
      !did(PmCall::GetDataSize, &Of, Why) || !Data.allocate(Of.Bytes, Why))
    return false;
  return clear(Why);
}

bool PmSampler::clear(Reason &Why) {
  cupti::DataInitialize Begin = {sizeof(Begin), nullptr, Sampler, Data.Size,
                                 Data.Bytes};
  return did(PmCall::InitializeData, &Begin, Why);
}

bool PmSampler::start(const PmFunctions &Given, const Cupti &Loaded,
                      uint32_t Which, uint64_t IntervalNs, Reason &Why) {
  Functions = &Given;
  Api = &Loaded;
  Device = Which;
  if (!findChip(Why) || !findNames(Why) || !chooseMetrics(Why) ||
      !configure(IntervalNs, Why))
    return false;
  cupti::OfSampler Begin = {sizeof(Begin), nullptr, Sampler};
  return did(PmCall::Start, &Begin, Why);
}

bool PmSampler::decode(size_t &Completed, bool &IsAll, Reason &Why) {
  cupti::DecodeData Decode = {};
  Decode.Size = cupti::DecodeDataSize;
  Decode.Sampler = Sampler;
  Decode.Data = Data.Bytes;
  Decode.DataSize = Data.Size;
  constexpr auto Call = static_cast<uint32_t>(PmCall::Decode);
  cupti::Result Code = Functions->Of[Call](&Decode);
  if (Code == cupti::OutOfMemory) {
    // The hardware's buffer was full, and CUPTI 12.6 can't overwrite the oldest
    // samples. The gap in the times shows the loss.
    cupti::OfSampler Again = {sizeof(Again), nullptr, Sampler};
    Completed = 0;
    IsAll = true;
    return did(PmCall::Stop, &Again, Why) && clear(Why) &&
           did(PmCall::Start, &Again, Why);
  }
  if (Code != cupti::Success) {
    explainSampling(*Api, PmNames[Call], Code, Why);
    return false;
  }
  IsAll = Decode.StopReason == cupti::EndOfRecords;
  cupti::DataInfo Info = {
      sizeof(Info), nullptr, Data.Bytes, Data.Size, 0, 0, 0};
  if (!did(PmCall::GetDataInfo, &Info, Why))
    return false;
  Completed = Info.Completed;
  return true;
}

bool PmSampler::evaluate(size_t Index, PmSample &Result, Reason &Why) {
  double Values[MostMetrics] = {};
  cupti::SampleInfo Times = {};
  Times.Size = sizeof(Times);
  Times.Sampler = Sampler;
  Times.Data = Data.Bytes;
  Times.DataSize = Data.Size;
  Times.Index = Index;
  cupti::Evaluate Of = {sizeof(Of), nullptr, Host,  Data.Bytes, Data.Size,
                        Index,      Names,   Count, Values};
  if (!did(PmCall::GetSampleInfo, &Times, Why) ||
      !did(PmCall::Evaluate, &Of, Why))
    return false;
  Result = {Times.Start, Times.End, {}};
  for (size_t I = 0; I < Count; ++I) {
    double &Sum = Result.Values[static_cast<uint32_t>(MetricRows[Rows[I]].Use)];
    // Comparisons with what isn't a number fail.
    Sum = Sum >= 0 && Values[I] >= 0 && Values[I] < 1e15 ? Sum + Values[I] : -1;
  }
  return true;
}

void PmSampler::stop() {
  cupti::OfSampler End = {sizeof(End), nullptr, Sampler};
  Functions->Of[static_cast<uint32_t>(PmCall::Stop)](&End);
}
