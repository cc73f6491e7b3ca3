// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic on the program's threads, unnoticed: it sets no
// flag, traps in no program that enables traps, and ignores the program's
// rounding mode. Whatever can be computed in integers is; this is for the rest.

#ifndef LOOPSCOPE_BASE_OWN_FLOATS_H
#define LOOPSCOPE_BASE_OWN_FLOATS_H

#include "float_state.h"

namespace loopscope::runtime {

/// A call, so that the compiler computes nothing of WORK before or after it.
template <typename Function>
__attribute__((noinline)) void callAlone(Function &Work) {
  Work();
}

/// Calls WORK, which stores its results, in an environment of our own.
/// Conversions from integers must be inside it, too.
template <typename Function> void withOwnFloats(Function Work) {
  FloatState Saved = setFloats(DefaultFloats);
  callAlone(Work);
  setFloats(Saved);
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_OWN_FLOATS_H
