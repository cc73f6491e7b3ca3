// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVML through dlopen: the search for the library and the GPUs, and the
// readings.

#include "nvml.h"

#include "nvml_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

using namespace loopscope::runtime;
using namespace loopscope::runtime::nvml;

constinit State loopscope::runtime::nvml::Nvml = {};

namespace {
int visitObject(dl_phdr_info *Info, size_t /*Size*/, void *Data) {
  const char *Slash = strrchr(Info->dlpi_name, '/');
  const char *Base = Slash == nullptr ? Info->dlpi_name : Slash + 1;
  if (strncmp(Base, "libcuda.so", 10) != 0)
    return 0;
  copyHead(static_cast<char *>(Data), 512, Info->dlpi_name);
  return 1;
}

// The path of CUDA's driver, if the program has loaded it. Avoids dlopen, which
// would search files and allocate.
bool findCudaDriver(char (&Path)[512]) {
  Path[0] = 0;
  return dl_iterate_phdr(visitObject, Path) != 0;
}

template <typename Function>
void loadSymbol(void *Library, Function &Into, const char *Name) {
  Into = reinterpret_cast<Function>(dlsym(Library, Name));
}
} // namespace

void loopscope::runtime::readNvmlPath() {
  const char *Path = secure_getenv("LOOPSCOPE_NVML");
  if (Path != nullptr && strlen(Path) < sizeof(Nvml.GivenPath))
    copyHead(Nvml.GivenPath, sizeof(Nvml.GivenPath), Path);
}

void loopscope::runtime::forbidNvmlIfBusy() {
  if (__atomic_load_n(&Nvml.Busy, __ATOMIC_SEQ_CST) != 0)
    Nvml.Forbidden = true;
  Nvml.Busy = 0;
}

bool NvmlReader::load(Text &Note) {
  const char *Path =
      Nvml.GivenPath[0] != 0 ? Nvml.GivenPath : "libnvidia-ml.so.1";
  void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  if (Library == nullptr) {
    note(Note, "no GPU metrics: ", Path,
         " can't be loaded; LOOPSCOPE_NVML=PATH names another");
    return false;
  }
  loadSymbol(Library, Nvml.Call.Init, "nvmlInit_v2");
  loadSymbol(Library, Nvml.Call.ErrorString, "nvmlErrorString");
  loadSymbol(Library, Nvml.Call.GetCount, "nvmlDeviceGetCount_v2");
  loadSymbol(Library, Nvml.Call.GetByIndex, "nvmlDeviceGetHandleByIndex_v2");
  loadSymbol(Library, Nvml.Call.GetByPciBusId,
             "nvmlDeviceGetHandleByPciBusId_v2");
  loadSymbol(Library, Nvml.Call.GetName, "nvmlDeviceGetName");
  loadSymbol(Library, Nvml.Call.GetMigMode, "nvmlDeviceGetMigMode");
  loadSymbol(Library, Nvml.Call.GetUtilization,
             "nvmlDeviceGetUtilizationRates");
  loadSymbol(Library, Nvml.Call.GetMemory, "nvmlDeviceGetMemoryInfo");
  loadSymbol(Library, Nvml.Call.GetPower, "nvmlDeviceGetPowerUsage");
  loadSymbol(Library, Nvml.Call.GetTemperature, "nvmlDeviceGetTemperature");
  loadSymbol(Library, Nvml.Call.GetClock, "nvmlDeviceGetClockInfo");
  loadSymbol(Library, Nvml.Call.GetFields, "nvmlDeviceGetFieldValues");
  loadSymbol(Library, Nvml.Call.MonitorsSupported, "nvmlGpmQueryDeviceSupport");
  loadSymbol(Library, Nvml.Call.AllocateSample, "nvmlGpmSampleAlloc");
  loadSymbol(Library, Nvml.Call.TakeSample, "nvmlGpmSampleGet");
  loadSymbol(Library, Nvml.Call.Compare, "nvmlGpmMetricsGet");
  if (Nvml.Call.Init == nullptr || Nvml.Call.GetCount == nullptr ||
      Nvml.Call.GetByIndex == nullptr) {
    note(Note, "no GPU metrics: ", Path, " is not NVML");
    return false;
  }
  if (int Result = Nvml.Call.Init(); Result != Success) {
    note(Note, "no GPU metrics: NVML says: ", errorText(Result));
    return false;
  }
  return true;
}

void NvmlReader::add(void *Handle, uint32_t Ordinal, Text &Note) {
  if (Count == MaxGpus)
    return;
  Gpu &New = Gpus[Count++];
  New.Handle = Handle;
  New.Ordinal = Ordinal;
  if (Nvml.Call.GetName == nullptr ||
      Nvml.Call.GetName(Handle, New.Name, sizeof(New.Name)) != Success)
    copyHead(New.Name, sizeof(New.Name), "");
  unsigned Current = 0;
  unsigned Pending = 0;
  if (Nvml.Call.GetMigMode != nullptr &&
      Nvml.Call.GetMigMode(Handle, &Current, &Pending) == Success &&
      Current == 1) {
    New.IsSplit = true;
    note(Note, "GPU ", static_cast<int64_t>(Ordinal),
         " is split by MIG: its figures are those of the whole GPU, and its "
         "utilisation can't be read");
  }
}

// Finds the GPUs of CUDA's driver once the program has initialised it; false
// before.
bool NvmlReader::findByCuda(Text &Note) {
  char Path[512];
  void *Driver = Nvml.Call.GetByPciBusId != nullptr && findCudaDriver(Path)
                     ? dlopen(Path, RTLD_LAZY | RTLD_NOLOAD)
                     : nullptr;
  if (Driver == nullptr) {
    findByIndex(Note);
    return true;
  }
  int (*GetCount)(int *) = nullptr;
  int (*Get)(int *, int) = nullptr;
  int (*GetBusId)(char *, int, int) = nullptr;
  loadSymbol(Driver, GetCount, "cuDeviceGetCount");
  loadSymbol(Driver, Get, "cuDeviceGet");
  loadSymbol(Driver, GetBusId, "cuDeviceGetPCIBusId");
  int Devices = 0;
  bool Ready = GetCount != nullptr && Get != nullptr && GetBusId != nullptr &&
               GetCount(&Devices) == 0;
  for (int I = 0; Ready && I < Devices; ++I) {
    int Device = 0;
    char BusId[32] = "";
    void *Handle = nullptr;
    if (Get(&Device, I) == 0 &&
        GetBusId(BusId, static_cast<int>(sizeof(BusId)), Device) == 0 &&
        Nvml.Call.GetByPciBusId(BusId, &Handle) == Success)
      add(Handle, static_cast<uint32_t>(I), Note);
  }
  dlclose(Driver);
  return Ready;
}

void NvmlReader::findByIndex(Text &Note) {
  unsigned Devices = 0;
  if (int Result = Nvml.Call.GetCount(&Devices); Result != Success) {
    note(Note, "no GPU metrics: NVML says: ", errorText(Result));
    return;
  }
  for (unsigned I = 0; I < Devices; ++I) {
    void *Handle = nullptr;
    if (int Result = Nvml.Call.GetByIndex(I, &Handle); Result == Success)
      add(Handle, I, Note);
    else
      note(Note, "no metrics of GPU ", static_cast<int64_t>(I), ": ",
           errorText(Result));
  }
}

void NvmlReader::find(Text &Note) {
  char Path[512];
  if (Done || (Nvml.GivenPath[0] == 0 && !findCudaDriver(Path)))
    return;
  if (Nvml.Forbidden) {
    Done = true;
    note(Note, "no GPU metrics: NVML was in use when the process forked");
    return;
  }
  BusyMark Mark;
  bool Loaded = Nvml.Call.Init != nullptr || load(Note);
  Done = !Loaded || findByCuda(Note);
}

// Whether a call worked. If not, its metric isn't tried again, nor the next one
// if one call gives both. NOTE gets the reason, unless this GPU just doesn't
// support it.
bool NvmlReader::works(Gpu &Of, GpuMetric First, const char *Noun, int Result,
                       Text &Note) {
  if (Result == Success)
    return true;
  Of.Failed |= 1U << First;
  auto Ordinal = static_cast<int64_t>(Of.Ordinal);
  if (Result == GpuIsLost) {
    Of.Failed = ~0U;
    note(Note, "GPU ", Ordinal, " was lost while the program ran");
  } else if (Result != NotSupported && Result != FunctionNotFound) {
    note(Note, "no ", Noun, " of GPU ", Ordinal, ": ", errorText(Result));
  }
  return false;
}

void NvmlReader::read(uint32_t Index, Reading *Into, Text &Note) {
  BusyMark Mark;
  Gpu &Of = Gpus[Index];
  auto Wanted = [&](auto *Function, GpuMetric First) {
    return Function != nullptr && (Of.Failed >> First & 1) == 0;
  };
  constexpr double Mega = 1e6;
  constexpr double Milli = 1e-3;
  Utilization Rates{};
  if (Wanted(Nvml.Call.GetUtilization, UtilizationGpu) &&
      works(Of, UtilizationGpu, "utilisation",
            Nvml.Call.GetUtilization(Of.Handle, &Rates), Note)) {
    Into[UtilizationGpu] = {static_cast<double>(Rates.Gpu), true};
    Into[UtilizationMemory] = {static_cast<double>(Rates.Memory), true};
  }
  MemoryInfo Memory{};
  if (Wanted(Nvml.Call.GetMemory, MemoryUsed) &&
      works(Of, MemoryUsed, "memory", Nvml.Call.GetMemory(Of.Handle, &Memory),
            Note)) {
    Into[MemoryUsed] = {static_cast<double>(Memory.Used), true};
    Into[MemoryTotal] = {static_cast<double>(Memory.Total), true};
  }
  unsigned Value = 0;
  if (Wanted(Nvml.Call.GetPower, PowerDraw) &&
      works(Of, PowerDraw, "power", Nvml.Call.GetPower(Of.Handle, &Value),
            Note))
    Into[PowerDraw] = {Value * Milli, true};
  if (Wanted(Nvml.Call.GetTemperature, TemperatureGpu) &&
      works(Of, TemperatureGpu, "temperature",
            Nvml.Call.GetTemperature(Of.Handle, SensorOfGpu, &Value), Note))
    Into[TemperatureGpu] = {static_cast<double>(Value), true};
  if (Wanted(Nvml.Call.GetClock, ClockSm) &&
      works(Of, ClockSm, "clocks",
            Nvml.Call.GetClock(Of.Handle, ClockOfSm, &Value), Note))
    Into[ClockSm] = {Value * Mega, true};
  if (Wanted(Nvml.Call.GetClock, ClockMemory) &&
      works(Of, ClockMemory, "clocks",
            Nvml.Call.GetClock(Of.Handle, ClockOfMemory, &Value), Note))
    Into[ClockMemory] = {Value * Mega, true};
}
