// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread's floating-point environment. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_GENERIC_FLOAT_STATE_H
#define LOOPSCOPE_GENERIC_FLOAT_STATE_H

#include <stdint.h>

namespace loopscope::runtime {

/// Not known on this processor: its environment isn't touched, and its flags
/// may be set.
struct FloatState {};
constexpr FloatState DefaultFloats = {};

/// Would change the state to NEW and return the one before.
inline FloatState setFloats(FloatState New) { return New; }

inline void resetFloats() { setFloats(DefaultFloats); }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GENERIC_FLOAT_STATE_H
