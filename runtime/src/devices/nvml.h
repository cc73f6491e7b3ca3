// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUs through NVML. The library is loaded once the program has loaded CUDA's
// driver, and the GPUs are those that CUDA shows to the program, in its
// numbering. Only the sampler's thread uses it.

#ifndef LOOPSCOPE_DEVICES_NVML_H
#define LOOPSCOPE_DEVICES_NVML_H

#include "base/system.h"
#include "host.h"

#include <stdint.h>

namespace loopscope::runtime {

/// A GPU's metrics. UtilizationGpu: share of time with a kernel running;
/// UtilizationMemory: share of time with memory being read or written;
/// MemoryUsed: by all processes.
enum GpuMetric {
#define LOOPSCOPE_METRIC_IDENTIFIER_(IDENTIFIER, NAME, UNIT) IDENTIFIER,
  LOOPSCOPE_GPU_METRICS(LOOPSCOPE_METRIC_IDENTIFIER_)
#undef LOOPSCOPE_METRIC_IDENTIFIER_
      GpuMetricCount
};
constexpr uint32_t MaxGpus = 16;

/// Stores LOOPSCOPE_NVML, a library to use in any program instead of the
/// driver's. Called once before main.
void readNvmlPath();

/// Called before the sampler of a forked child starts: disables NVML if a
/// thread of the parent was inside it.
void forbidNvmlIfBusy();

class NvmlReader {
public:
  /// Loads the library and finds the GPUs, when it is time and not done yet.
  /// NOTE then says why there are none, or what can't be read.
  void find(Text &Note);

  uint32_t count() const { return Count; }
  /// The GPU's number in CUDA or, without CUDA's driver, in NVML.
  uint32_t ordinal(uint32_t Gpu) const { return Gpus[Gpu].Ordinal; }
  const char *name(uint32_t Gpu) const { return Gpus[Gpu].Name; }

  /// NVML's handle; null for a GPU that MIG splits, whose figures are those of
  /// the whole GPU.
  void *handle(uint32_t Gpu) const {
    return Gpus[Gpu].IsSplit ? nullptr : Gpus[Gpu].Handle;
  }

  /// Reads the available metrics. NOTE says once which are missing and why. A
  /// GPU that was lost isn't read again.
  void read(uint32_t Gpu, Reading *Into, Text &Note);

private:
  struct Gpu {
    void *Handle;
    uint32_t Ordinal;
    uint32_t Failed; // bit set of unreadable metrics
    bool IsSplit;    // by MIG
    char Name[96];
  };
  bool load(Text &Note);
  bool findByCuda(Text &Note);
  void findByIndex(Text &Note);
  void add(void *Handle, uint32_t Ordinal, Text &Note);
  bool works(Gpu &Of, GpuMetric First, const char *Noun, int Result,
             Text &Note);

  Gpu Gpus[MaxGpus] = {};
  uint32_t Count = 0;
  bool Done = false; // nothing more to find
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_NVML_H
