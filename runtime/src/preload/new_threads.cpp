// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's pthread_create(): samples begin with a thread, so that one of a
// few ms has its share of them. Threads that are made in another way are found
// in /proc a moment later.

#include "stacks/timers.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

using namespace loopscope::runtime;

namespace {
using Function = void *(*)(void *);
using Creator = int (*)(pthread_t *, const pthread_attr_t *, Function, void *);

// What a thread that is being made will run. No memory of the program's
// allocator: that may make threads itself.
struct Start {
  bool IsTaken;
  Function Run;
  void *Argument;
};
constexpr uint32_t MostStarts = 64; // at the same time
Start Starts[MostStarts];

Start *takeStart() {
  for (Start &Each : Starts)
    if (!__atomic_exchange_n(&Each.IsTaken, true, __ATOMIC_ACQUIRE))
      return &Each;
  return nullptr;
}

void giveBack(Start *Of) {
  __atomic_store_n(&Of->IsTaken, false, __ATOMIC_RELEASE);
}

// Leaves no frame: the last call is a jump.
void *begin(void *Of) {
  auto *By = static_cast<Start *>(Of);
  Function Run = By->Run;
  void *Argument = By->Argument;
  giveBack(By);
  int Saved = errno;
  sampleNewThread();
  errno = Saved;
  return Run(Argument);
}

// The one that the program would call without us, which may be another
// library's.
Creator nextCreator() {
  static Creator Found;
  Creator Result = __atomic_load_n(&Found, __ATOMIC_RELAXED);
  if (Result == nullptr) {
    Result = reinterpret_cast<Creator>(dlsym(RTLD_NEXT, "pthread_create"));
    if (Result == nullptr)
      Result = pthread_create; // libc's own
    __atomic_store_n(&Found, Result, __ATOMIC_RELAXED);
  }
  return Result;
}
} // namespace

// The runtime's own calls don't come here (libc/names.h).
extern "C" __attribute__((visibility("default"))) int
loopscope_program_pthread_create(pthread_t *Thread,
                                 const pthread_attr_t *Attributes, Function Run,
                                 void *Argument) __asm__("pthread_create");

extern "C" int
loopscope_program_pthread_create(pthread_t *Thread,
                                 const pthread_attr_t *Attributes, Function Run,
                                 void *Argument) {
  Start *Of = takeStart();
  if (Of == nullptr)
    return nextCreator()(Thread, Attributes, Run, Argument);
  Of->Run = Run;
  Of->Argument = Argument;
  int Error = nextCreator()(Thread, Attributes, begin, Of);
  if (Error != 0)
    giveBack(Of);
  return Error;
}
