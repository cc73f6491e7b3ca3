// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVML's ABI, by NVIDIA's documentation, not its header; and the one library
// that the process has loaded. Only the sampler's thread uses it.

#ifndef LOOPSCOPE_DEVICES_NVML_LIBRARY_H
#define LOOPSCOPE_DEVICES_NVML_LIBRARY_H

#include "base/system.h"

#include <stdint.h>

namespace loopscope::runtime::nvml {

constexpr int Success = 0;
constexpr int NotSupported = 3;
constexpr int NoPermission = 4;
constexpr int FunctionNotFound = 13;
constexpr int GpuIsLost = 15;
constexpr unsigned ClockOfSm = 1;
constexpr unsigned ClockOfMemory = 2;
constexpr unsigned SensorOfGpu = 0;

struct Utilization {
  unsigned Gpu;
  unsigned Memory;
};
struct MemoryInfo {
  unsigned long long Total;
  unsigned long long Free;
  unsigned long long Used;
};

/// A value by number.
struct Field {
  unsigned Id;
  unsigned Scope;
  long long TimestampUs;
  long long LatencyUs;
  int Type; ///< see numberOf()
  int Result;
  union {
    double Real;
    unsigned Small;
    unsigned long long Large;
  } Value;
};
static_assert(sizeof(Field) == 40);
constexpr unsigned EnergyField = 83;      ///< mJ since the driver was loaded
constexpr unsigned PowerLimitField = 74;  ///< ns held back by the power limit
constexpr unsigned SoftHeatField = 269;   ///< by software, because of heat
constexpr unsigned HardHeatField = 270;   ///< by hardware, because of heat
constexpr unsigned PowerBrakeField = 271; ///< by the system's power brake

/// The performance monitors (GPM; from Hopper on).
struct MonitorSupport {
  unsigned Version;
  unsigned IsSupported;
};
struct MonitorValue {
  unsigned Id;
  int Result;
  double Value;
  const char *Names[3];
};
static_assert(sizeof(MonitorValue) == 40);
/// The array's length differs by version of the library, which touches as many
/// as Count says; so there is room for more than any version's.
struct Comparison {
  unsigned Version;
  unsigned Count;
  void *First;
  void *Second;
  MonitorValue Values[512];
};

/// The library's functions; null if it lacks one. All null until the library is
/// loaded; it stays loaded.
struct Functions {
  int (*Init)();
  const char *(*ErrorString)(int);
  int (*GetCount)(unsigned *);
  int (*GetByIndex)(unsigned, void **);
  int (*GetByPciBusId)(const char *, void **);
  int (*GetName)(void *, char *, unsigned);
  int (*GetMigMode)(void *, unsigned *, unsigned *);
  int (*GetUtilization)(void *, Utilization *);
  int (*GetMemory)(void *, MemoryInfo *);
  int (*GetPower)(void *, unsigned *); // milliwatts
  int (*GetTemperature)(void *, unsigned, unsigned *);
  int (*GetClock)(void *, unsigned, unsigned *); // megahertz
  int (*GetFields)(void *, int, Field *);
  int (*MonitorsSupported)(void *, MonitorSupport *);
  int (*AllocateSample)(void **);
  int (*TakeSample)(void *, void *);
  int (*Compare)(Comparison *);
};

struct State {
  Functions Call;
  char GivenPath[512]; ///< LOOPSCOPE_NVML
  uint32_t Busy;       ///< 1 while the sampler is inside NVML or the loader
  bool Forbidden; ///< in a child that was forked while the parent's sampler was
};
extern State Nvml;

class BusyMark {
public:
  BusyMark() { __atomic_store_n(&Nvml.Busy, 1U, __ATOMIC_SEQ_CST); }
  ~BusyMark() { __atomic_store_n(&Nvml.Busy, 0U, __ATOMIC_SEQ_CST); }
  BusyMark(const BusyMark &) = delete;
  BusyMark &operator=(const BusyMark &) = delete;
};

inline const char *errorText(int Result) {
  const char *Known = Nvml.Call.ErrorString == nullptr
                          ? nullptr
                          : Nvml.Call.ErrorString(Result);
  return Known == nullptr ? "an error" : Known;
}

template <typename... Parts> void note(Text &Note, Parts... All) {
  if (Note.size() != 0)
    Note << "; ";
  (Note << ... << All);
}

} // namespace loopscope::runtime::nvml

#endif // LOOPSCOPE_DEVICES_NVML_LIBRARY_H
