// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What GPUs can do at best: a table from NVIDIA's datasheets.

#ifndef LOOPSCOPE_ANALYSIS_TREE_DEVICEPEAKS_H
#define LOOPSCOPE_ANALYSIS_TREE_DEVICEPEAKS_H

#include <string>

namespace loopscope {

/// The dense bfloat16 rate of the tensor cores of the device \p Name (as the
/// driver calls it), in FLOP per second. 0 if the device isn't in the table or
/// is a part of one (MIG).
double densePeak(const std::string &Name);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_DEVICEPEAKS_H
