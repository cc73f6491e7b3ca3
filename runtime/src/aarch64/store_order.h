// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps stores to the profile in order. One of several files of this name; the
// build selects one by its include path.

#ifndef LOOPSCOPE_AARCH64_STORE_ORDER_H
#define LOOPSCOPE_AARCH64_STORE_ORDER_H

namespace loopscope::runtime {

/// Whoever reads the profile finds the stores before this line wherever it
/// finds one after it. After a kill the compiler's order would do, because all
/// stores of a dead thread reach the file. Live readers (another process, the
/// sampler) need the processor's, too: here it reorders stores. They read
/// nothing that depends on what the writer loads, so a barrier for stores is
/// enough; a release fence would also wait for loads (dmb ish).
inline void orderStores() { asm volatile("dmb ishst" : : : "memory"); }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_AARCH64_STORE_ORDER_H
