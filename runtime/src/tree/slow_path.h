// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a hook does beyond the fast paths: it may lock, get memory, call the
// system.

#ifndef LOOPSCOPE_TREE_SLOW_PATH_H
#define LOOPSCOPE_TREE_SLOW_PATH_H

namespace loopscope::runtime {

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

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_SLOW_PATH_H
