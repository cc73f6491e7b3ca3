// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's own threads: their stacks, and which they are.

#ifndef LOOPSCOPE_BASE_OWN_THREADS_H
#define LOOPSCOPE_BASE_OWN_THREADS_H

#include <stddef.h>

namespace loopscope::runtime {

/// The size of a stack of which one of our threads has ROOM bytes for itself:
/// the thread-local storage of the program and its libraries may lie in it.
size_t stackSize(size_t Room);

/// Says that the calling thread is the runtime's own.
void noteOwnThread();
/// Whether the thread with this id has said so. Any thread.
bool isOwnThread(int Tid);

/// For a forked child, which has none of them.
void resetOwnThreads();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_OWN_THREADS_H
