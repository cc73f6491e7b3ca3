// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads and their trees.

#ifndef LOOPSCOPE_CORE_THREADS_H
#define LOOPSCOPE_CORE_THREADS_H

#include "thread_memory.h"

namespace loopscope::runtime {

/// The calling thread's tree. Null before its first hook, and in a forked child
/// that hasn't noticed yet, where Tree is the parent's.
inline Thread *ownTree() {
  Thread *T = ThisThread.Memory->Tree;
  return T != nullptr && links(T).Owner == T ? T : nullptr;
}

/// Sets Fast and FastNoting for T, the calling thread, once its timeline has
/// been started. MUTED: T is in a step outside the window.
void chooseFast(Thread *T, bool Muted);
/// Makes both NoLinks: the calling thread has no tree.
void forgetFast();

/// Exists while the calling thread is on a slow path. Signals are deferred
/// (deferral.h), and hooks that run all the same stay out: in the program's
/// functions that the slow path calls (its malloc), and in handlers of faults.
class SlowPath {
public:
  /// IS_COUNTED: whether it is worth a count that the thread was on one.
  explicit SlowPath(bool IsCounted = true);
  ~SlowPath();
  /// False: the thread was on a slow path already.
  explicit operator bool() const { return Entered; }
  SlowPath(const SlowPath &) = delete;
  SlowPath &operator=(const SlowPath &) = delete;

private:
  bool Entered;
};

/// The thread's tree, attached at the first call. Null if out of memory
/// (counted). Call within a SlowPath.
Thread *attachThread();

/// T's innermost open node; outside all spans its root. Callable on any thread.
/// Null while T is making the node.
Node *innermostNode(Thread *T);

/// Index of the main thread's innermost open node; outside all spans its root.
/// Callable on any thread. LOOPSCOPE_NONE while the main thread has no tree.
uint32_t mainThreadNode();

/// A profile's nodes, at most.
constexpr uint32_t MaxNodes = 1U << 16; // 256 MiB

/// Gives the thread unused nodes; false if out of memory.
bool refillNodes(Thread *T);

/// Clears the links of the calling thread's tree, in a child on a kernel that
/// hasn't done it.
void forgetLinks();

/// For a forked child: no threads, no trees.
void resetThreads();

/// Called once before main.
void startThreads();

/// Updates the clock's calibration; called by a hook when it is due.
void calibrateFrom(Thread *T, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_THREADS_H
