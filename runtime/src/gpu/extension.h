// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU collection with CUPTI.

#ifndef LOOPSCOPE_GPU_EXTENSION_H
#define LOOPSCOPE_GPU_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension GpuExtension;

/// When to collect GPU data: if the program uses CUDA; always, with a warning
/// if that fails; never; or unless another CUPTI tool wants it.
enum class GpuChoice { Auto, On, Off, Yield };

/// Settings from LOOPSCOPE=.
struct GpuOptions {
  GpuChoice Collect = GpuChoice::Auto;
  /// One record for a launch of a CUDA graph, not one for each of its nodes.
  bool WholeGraphs = false;
  /// Steps count that begin between cudaProfilerStart() and cudaProfilerStop().
  bool StepsByProfiler = false;
  /// Between two samples of PM sampling; 0: none.
  uint64_t CountersNs = 0;
};
/// Constant after start-up.
extern GpuOptions GpuSettings;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_EXTENSION_H
