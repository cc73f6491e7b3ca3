// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mapping for each thread, as large as what the linked extensions keep in it.

#include "thread_memory.h"

#include "deferral.h"
#include "system.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

__thread ThreadState loopscope::runtime::ThisThread
    __attribute__((tls_model("initial-exec"))) = {};

// The section of all PerThread. The linker defines these names; none without
// an extension that has some.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
extern const char __start_loopscope_thread[]
    __attribute__((weak, visibility("hidden")));
extern const char __stop_loopscope_thread[]
    __attribute__((weak, visibility("hidden")));
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {
struct State {
  void (*Ended)();
  pthread_key_t Key; // notices the end of a thread; stays in forked children
  bool HasKey;
};
constinit State Memories = {};

size_t sizeOfAll() {
  return sizeof(ThreadMemory) +
         reinterpret_cast<uintptr_t>(__stop_loopscope_thread) -
         reinterpret_cast<uintptr_t>(__start_loopscope_thread);
}

void endMemory(void *Memory) {
  Memories.Ended();
  ThisThread.Memory = nullptr;
  munmap(Memory, sizeOfAll());
}
} // namespace

void loopscope::runtime::startThreadMemory(void (*Ended)()) {
  Memories.Ended = Ended;
  Memories.HasKey = pthread_key_create(&Memories.Key, endMemory) == 0;
}

// Signals wait meanwhile: pthread_setspecific() may allocate, and a handler
// must not leave it by a jump.
__attribute__((noinline)) ThreadMemory *loopscope::runtime::makeOwnMemory() {
  int Saved = errno;
  uint64_t Mask = blockSignals();
  if (ThisThread.Memory == nullptr) {
    auto *New = static_cast<ThreadMemory *>(mapMemory(sizeOfAll()));
    if (New != nullptr) {
      New->FastNoting = &NoLinks;
      ThisThread.Memory = New;
      if (Memories.HasKey)
        pthread_setspecific(Memories.Key, New);
    }
  }
  restoreSignals(Mask);
  errno = Saved;
  return ThisThread.Memory;
}

void *loopscope::runtime::ownPlace(void *Place) {
  ThreadMemory *Memory = ownMemory();
  if (Memory == nullptr)
    return Place;
  return reinterpret_cast<char *>(Memory + 1) +
         (static_cast<char *>(Place) - __start_loopscope_thread);
}
