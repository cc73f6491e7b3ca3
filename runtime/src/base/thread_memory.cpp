// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mapping for each thread, as large as what the linked extensions keep in it.
// Those of ended threads are used again.

#include "thread_memory.h"

#include "memory.h"
#include "signal_mask.h"
#include "stack_pointer.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

__thread ThreadState loopscope::runtime::ThisThread
    __attribute__((tls_model("initial-exec"))) = {};

constinit const ThreadMemory loopscope::runtime::NoMemory = {};

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
  bool IsBusy; // some thread changes what is below; nobody waits for it
  uint32_t FreeCount;
  void *Free; // each begins with the address of the next
};
constinit State Memories = {};
constexpr uint32_t MostFree = 64;

size_t sizeOfAll() {
  return sizeof(ThreadMemory) +
         reinterpret_cast<uintptr_t>(__stop_loopscope_thread) -
         reinterpret_cast<uintptr_t>(__start_loopscope_thread);
}

// A forked child may find the list busy for ever: then it goes without.
void *takeFree() {
  if (__atomic_exchange_n(&Memories.IsBusy, true, __ATOMIC_ACQUIRE))
    return nullptr;
  void *Memory = Memories.Free;
  if (Memory != nullptr) {
    Memories.Free = *static_cast<void **>(Memory);
    --Memories.FreeCount;
  }
  __atomic_store_n(&Memories.IsBusy, false, __ATOMIC_RELEASE);
  if (Memory != nullptr)
    memset(Memory, 0, sizeOfAll());
  return Memory;
}

// False: the list is full or busy.
bool putFree(void *Memory) {
  if (__atomic_exchange_n(&Memories.IsBusy, true, __ATOMIC_ACQUIRE))
    return false;
  bool HasRoom = Memories.FreeCount < MostFree;
  if (HasRoom) {
    *static_cast<void **>(Memory) = Memories.Free;
    Memories.Free = Memory;
    ++Memories.FreeCount;
  }
  __atomic_store_n(&Memories.IsBusy, false, __ATOMIC_RELEASE);
  return HasRoom;
}

// Signals wait meanwhile: what a handler's hooks put there would get lost.
LOOPSCOPE_REALIGNS_STACK void endMemory(void *Memory) {
  uint64_t Mask = blockSignals();
  Memories.Ended();
  ThisThread.Memory = const_cast<ThreadMemory *>(&NoMemory);
  if (!putFree(Memory))
    munmap(Memory, sizeOfAll());
  restoreSignals(Mask);
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
  if (!hasMemory()) {
    void *Memory = takeFree();
    if (Memory == nullptr)
      Memory = mapMemory(sizeOfAll());
    auto *New = static_cast<ThreadMemory *>(Memory);
    if (New != nullptr) {
      *New = NoMemory;
      ThisThread.Memory = New;
      if (Memories.HasKey)
        pthread_setspecific(Memories.Key, New);
    }
  }
  restoreSignals(Mask);
  errno = Saved;
  return hasMemory() ? ThisThread.Memory : nullptr;
}

void *loopscope::runtime::ownPlace(void *Place) {
  ThreadMemory *Memory = ownMemory();
  if (Memory == nullptr)
    return Place;
  return reinterpret_cast<char *>(Memory + 1) +
         (static_cast<char *>(Place) - __start_loopscope_thread);
}
