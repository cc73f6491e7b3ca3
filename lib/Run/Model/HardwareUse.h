// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the hardware of a GPU did, by the call path whose work it did: plain
// values, checked. Part of the model (Run.h), filled by readGpu.
//
// NVML's readings split a run into windows. Each belongs to the deepest call
// path that has nearly all of the GPU's work in it; loopscope_gpu_use has the
// rule. So a phase has figures only if it keeps the GPU busy for longer than a
// window, and a call path's mean over everything below it includes what is of
// no phase.

#ifndef LOOPSCOPE_RUN_MODEL_HARDWAREUSE_H
#define LOOPSCOPE_RUN_MODEL_HARDWAREUSE_H

#include <loopscope/profile_format.h>

#include <cstdint>
#include <span>

namespace loopscope {

/// What is measured; the numbers are the file's.
enum class HardwareId : uint16_t {
#define LOOPSCOPE_USE_ID_(NUMBER, IDENTIFIER, NAME, UNIT) IDENTIFIER = (NUMBER),
  LOOPSCOPE_GPU_USES(LOOPSCOPE_USE_ID_)
#undef LOOPSCOPE_USE_ID_
};

/// How it is shown.
struct HardwareKind {
  HardwareId Id;
  const char *Name;   ///< in data formats: "dram.active"
  const char *Header; ///< "DRAM %"
  double Scale;       ///< values are divided by it to be shown
  bool IsOptional;    ///< not shown where it is 0 throughout
  const char *Help;   ///< null if the header says it all
};

/// All of them, in the order of columns.
std::span<const HardwareKind> hardwareKinds();

/// One thing measured, of one GPU, over the windows of one call path.
struct HardwareUse {
  uint32_t Node = LOOPSCOPE_NONE; ///< NONE: in no tree
  uint32_t Device = 0;            ///< in GpuData::Devices
  HardwareId Id = HardwareId::SmActive;
  loopscope_gpu_use_owner Owner = LOOPSCOPE_USE_OF_NODE;
  uint64_t Windows = 0; ///< at least 1
  int64_t Ns = 0;       ///< of the windows
  double Integral = 0;  ///< sum of value x nanoseconds
  double Min = 0;
  double Max = 0;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_HARDWAREUSE_H
