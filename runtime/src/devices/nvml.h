// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUs as NVML sees them. The library is loaded when the program has loaded
// CUDA's driver, and the GPUs are those that CUDA shows the program, in its
// numbering. Used by the sampler's thread alone.

#ifndef LOOPSCOPE_DEVICES_NVML_H
#define LOOPSCOPE_DEVICES_NVML_H

#include "core/system.h"
#include "host.h"

#include <stdint.h>

namespace loopscope::runtime {

/// What a GPU's metrics are: UtilizationGpu is the share of time with a kernel
/// running, UtilizationMemory that with memory being read or written,
/// MemoryUsed what all processes hold.
enum GpuMetric {
#define LOOPSCOPE_METRIC_IDENTIFIER_(IDENTIFIER, NAME, UNIT) IDENTIFIER,
  LOOPSCOPE_GPU_METRICS(LOOPSCOPE_METRIC_IDENTIFIER_)
#undef LOOPSCOPE_METRIC_IDENTIFIER_
      GpuMetricCount
};
constexpr uint32_t MaxGpus = 16;

/// Remembers LOOPSCOPE_NVML, the library to use in place of the driver's, in
/// any program. Called once before main.
void readNvmlPath();

/// Before the sampler of a forked child: no NVML there when a thread of the
/// parent was in it.
void forbidNvmlIfBusy();

class NvmlReader {
public:
  /// Loads the library and finds the GPUs, when it is time and wasn't done.
  /// NOTE then says why there are none or what can't be read of them.
  void find(Text &Note);

  uint32_t count() const { return Count; }
  /// The number that CUDA, or without CUDA's driver NVML, has for a GPU.
  uint32_t ordinal(uint32_t Gpu) const { return Gpus[Gpu].Ordinal; }
  const char *name(uint32_t Gpu) const { return Gpus[Gpu].Name; }

  /// Reads what can be read; NOTE says what can't and why, at the first time.
  /// A GPU that was lost is left alone afterwards.
  void read(uint32_t Gpu, Reading *Into, Text &Note);

private:
  struct Gpu {
    void *Handle;
    uint32_t Ordinal;
    uint32_t Failed; // bit set of metrics that can't be read
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
  bool Done = false; // there is nothing more to find
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_NVML_H
