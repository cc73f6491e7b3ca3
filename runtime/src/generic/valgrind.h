// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether valgrind runs the program. One of several files of this name; the
// build picks one by its include path.

#ifndef LOOPSCOPE_GENERIC_VALGRIND_H
#define LOOPSCOPE_GENERIC_VALGRIND_H

namespace loopscope::runtime {

/// Not known on this processor.
inline bool isUnderValgrind() { return false; }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GENERIC_VALGRIND_H
