// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads and their trees.

#ifndef LOOPSCOPE_CORE_THREADS_H
#define LOOPSCOPE_CORE_THREADS_H

#include "tree.h"

namespace loopscope::runtime {

/// Per-thread state.
struct ThreadState {
  /// The tree, but only while hooks may take the fast path: the clock is the
  /// counter, the step is inside the window, and no events are recorded.
  Thread *Fast;
  /// The same for threads that record events; null while Fast isn't.
  Thread *FastNoting;
  /// Null before the thread's first hook.
  Thread *Tree;
  bool OnSlowPath;
};
extern __thread ThreadState ThisThread
    __attribute__((tls_model("initial-exec")));

/// Sets Fast and FastNoting for T, the calling thread, once its timeline has
/// been started. MUTED: T is in a step outside the window.
void chooseFast(Thread *T, bool Muted);

/// Exists while the calling thread is on a slow path, so that hooks in signal
/// handlers stay out.
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

/// For a forked child: no threads, no trees.
void resetThreads();

/// Called once before main.
void startThreads();

/// Updates the clock's calibration; called by a hook when it is due.
void calibrateFrom(Thread *T, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_THREADS_H
