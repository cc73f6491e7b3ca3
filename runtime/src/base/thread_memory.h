// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each thread has of its own, in memory that it gets at its first slow
// path. Thread-local storage holds only a pointer to it, besides what the fast
// path needs: libraries that dlopen() loads share some 1.6 KiB of that, and a
// library that finds none left isn't loaded.

#ifndef LOOPSCOPE_BASE_THREAD_MEMORY_H
#define LOOPSCOPE_BASE_THREAD_MEMORY_H

#include "thread_links.h"

#include <stdint.h>

namespace loopscope::runtime {

/// What the core has there. Zero at first, but FastNoting is NoLinks; what
/// extensions have follows it.
struct alignas(16) ThreadMemory {
  Thread *Tree; ///< null before the thread's first hook; see ownTree()
  /// ThreadState::Fast of a thread that records events; NoLinks while Fast
  /// isn't.
  ThreadLinks *FastNoting = &NoLinks;
  uint64_t MaskBefore;    ///< the thread's signal mask outside deferrals
  const void *SlowPathAt; ///< the SlowPath that is entered
  uintptr_t StackLow;     ///< see ownStack()
  uint32_t Deferrals;     ///< those alive; see deferral.h
  bool OnSlowPath;
  bool IsRuntimes;    ///< the thread is one of the runtime's own
  bool HasFileThread; ///< the thread started the one of own_files.h
};

/// Stands for the memory of a thread that has none, so that reading needs no
/// test. Never written.
extern __attribute__((visibility("hidden"))) const ThreadMemory NoMemory;

/// Thread-local storage.
struct ThreadState {
  /// The tree's links, but only while hooks may take the fast path: the clock
  /// is the counter, the step is inside the window, and no events are recorded.
  /// Otherwise NoLinks.
  ThreadLinks *Fast = &NoLinks;
  /// NoMemory before ownMemory().
  ThreadMemory *Memory = const_cast<ThreadMemory *>(&NoMemory);
};
extern __thread ThreadState ThisThread
    __attribute__((tls_model("initial-exec")));

inline bool hasMemory() { return ThisThread.Memory != &NoMemory; }

/// Makes the calling thread's memory. Null if out of memory. errno stays.
ThreadMemory *makeOwnMemory();

/// The calling thread's memory, made at the first call. Null if out of memory.
inline ThreadMemory *ownMemory() {
  return __builtin_expect(hasMemory(), true) ? ThisThread.Memory
                                             : makeOwnMemory();
}

/// The calling thread's FastNoting.
inline ThreadLinks &notingLinks() { return *ThisThread.Memory->FastNoting; }

/// Called once before main. ENDED is called on each thread that has memory of
/// its own, when it ends.
void startThreadMemory(void (*Ended)());

/// Where the calling thread keeps the PerThread that is at PLACE; at PLACE
/// itself, with all such threads, if out of memory.
void *ownPlace(void *Place);

/// A variable of which each thread has its own, zero at first. Global ones
/// only, declared with LOOPSCOPE_PER_THREAD, whose places in a section of
/// their own are the places in each thread's memory.
template <typename T> class PerThread {
public:
  T &operator*() { return *static_cast<T *>(ownPlace(Place)); }
  T *operator->() { return &**this; }

private:
  static_assert(__is_trivially_copyable(T) && alignof(T) <= 16);
  alignas(T) char Place[sizeof(T)] = {};
};

/// LOOPSCOPE_PER_THREAD(int, Depth); declares PerThread<int> Depth.
// NOLINTBEGIN(bugprone-macro-parentheses): a type and a name.
#define LOOPSCOPE_PER_THREAD(TYPE, NAME)                                       \
  constinit PerThread<TYPE> NAME __attribute__((section("loopscope_thread")))
// NOLINTEND(bugprone-macro-parentheses)

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_THREAD_MEMORY_H
