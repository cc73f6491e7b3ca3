// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which threads are the runtime's own.

#ifndef LOOPSCOPE_BASE_OWN_THREADS_H
#define LOOPSCOPE_BASE_OWN_THREADS_H

namespace loopscope::runtime {

/// Says that the calling thread is the runtime's own.
void noteOwnThread();
/// Whether the thread with this id has said so. Any thread.
bool isOwnThread(int Tid);

/// For a forked child, which has none of them.
void resetOwnThreads();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_OWN_THREADS_H
