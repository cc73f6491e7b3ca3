// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps stores to the profile in order. One of several files of this name; the
// build selects one by its include path.

#ifndef LOOPSCOPE_X86_64_STORE_ORDER_H
#define LOOPSCOPE_X86_64_STORE_ORDER_H

namespace loopscope::runtime {

/// Whoever reads the profile, live or after a kill, finds the stores before
/// this line wherever it finds one after it: this processor keeps stores in
/// order, and only the compiler could reorder them.
inline void orderStores() { __atomic_thread_fence(__ATOMIC_RELEASE); }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_STORE_ORDER_H
