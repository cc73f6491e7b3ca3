// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What GPUs can do at best: one table, from NVIDIA's datasheets.

#ifndef LOOPSCOPE_ANALYSIS_DEVICEPEAKS_H
#define LOOPSCOPE_ANALYSIS_DEVICEPEAKS_H

#include <string>

namespace loopscope {

/// FLOP a second of the tensor cores of the device called \p Name, as the
/// driver names it, in bfloat16 without sparsity; 0 where it isn't in the
/// table, or is a part of a device (MIG).
double densePeak(const std::string &Name);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICEPEAKS_H
