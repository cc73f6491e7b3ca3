// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibres: stacks that the program switches itself, also bodies of coroutines.
// Each has a tree of its own, which goes with it from thread to thread. While a
// thread runs a fibre, that fibre's tree is the thread's, so hooks don't know
// of fibres. A tree that nobody runs is in a cut (cut.h), "(switched
// out)" or, of a thread's own stack, "(in fibres)": so a span's time is that in
// which its stack ran.

#ifndef LOOPSCOPE_TREE_FIBRES_H
#define LOOPSCOPE_TREE_FIBRES_H

#include "base/thread_links.h"

#include <stdint.h>

namespace loopscope::runtime {

/// Registers the counters of what goes wrong with fibres.
void registerFibreCounters();

/// From now on, the calling thread, whose tree is T, runs the fibre ID; 0: its
/// own stack. Returns the one that it ran before. A fibre that another thread
/// runs is refused and counted, as is one for which there is no room: then the
/// thread's spans are on its own stack. Takes the slow lock; call it on a slow
/// path.
uint64_t switchFibre(Thread *T, uint64_t Id);

/// The fibre ID, which the calling thread may be running, has ended: its spans
/// end, and its tree is free for the next fibre. Call as switchFibre.
void endFibre(Thread *T, uint64_t Id);

/// The calling thread, whose tree is T and which ends, runs its own stack
/// again. Returns that one's tree. On a slow path.
Thread *leaveFibre(Thread *T);

/// For a forked child: there are no fibres but the one that the thread runs,
/// whose parent's spans are gone.
void resetFibres();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_FIBRES_H
