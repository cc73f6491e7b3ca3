// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that need not nest, by hand (loopscope_range_begin,
// loopscope_range_end).

#ifndef LOOPSCOPE_RANGES_EXTENSION_H
#define LOOPSCOPE_RANGES_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension RangesExtension;

/// With a NAME, begins a range of that name and returns its id, or 0; with
/// null, ends the range with this ID and returns 0.
uint64_t takeRange(const char *Name, uint64_t Id);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RANGES_EXTENSION_H
