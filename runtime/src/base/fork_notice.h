// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children that come past pthread_atfork(): _Fork(), clone() and fork as system
// calls. They share the parent's profile in memory and must not write into it.
// The kernel clears some of the process's memory in every child that gets
// memory of its own (MADV_WIPEONFORK, Linux 4.14): a word here, which slow
// paths look at, and the threads' links, so that the fast path finds no open
// node and takes the slow path. A child of vfork() borrows the parent's memory
// and is the parent, as far as this is concerned.

#ifndef LOOPSCOPE_BASE_FORK_NOTICE_H
#define LOOPSCOPE_BASE_FORK_NOTICE_H

#include <stddef.h>

namespace loopscope::runtime {

/// SIZE bytes of zeroed memory in its own mapping, which are zero again in a
/// forked child, on a kernel that does that. Null if out of memory.
void *mapWipedOnFork(size_t Size);

/// Prepares for noticeFork(); once per process, before the first profile.
/// START_OVER makes a forked child start over.
void startForkNotice(void (*StartOver)());

/// In a forked child that hasn't noticed yet, makes it start over. Any thread;
/// two loads.
void noticeFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_FORK_NOTICE_H
