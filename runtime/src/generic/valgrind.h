// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the program runs under valgrind. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_GENERIC_VALGRIND_H
#define LOOPSCOPE_GENERIC_VALGRIND_H

namespace loopscope::runtime {

/// Unknown on this processor.
inline bool isUnderValgrind() { return false; }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GENERIC_VALGRIND_H
