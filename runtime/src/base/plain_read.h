// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of what hooks on other threads write in plain stores. Those cost the
// hooks nothing; a reader goes by sequence numbers (store_order.h), as one in
// another process does.

#ifndef LOOPSCOPE_BASE_PLAIN_READ_H
#define LOOPSCOPE_BASE_PLAIN_READ_H

namespace loopscope::runtime {

/// For functions that read so. ThreadSanitizer would call it a race: it knows
/// no reader that discards what has changed meanwhile.
#define LOOPSCOPE_READS_PLAINLY __attribute__((no_sanitize("thread")))

/// The present value of a number that another thread may be writing. To be
/// called in such functions only. Later reads come later.
template <typename T>
inline LOOPSCOPE_READS_PLAINLY __attribute__((always_inline)) T
plainRead(const T *From) {
  T Result = *const_cast<const volatile T *>(From);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return Result;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_PLAIN_READ_H
