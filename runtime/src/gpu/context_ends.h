// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes ends of contexts from the threads that destroy them to the collector.

#ifndef LOOPSCOPE_GPU_CONTEXT_ENDS_H
#define LOOPSCOPE_GPU_CONTEXT_ENDS_H

#include <pthread.h>
#include <stdint.h>

namespace loopscope::runtime {

class ContextEndings {
public:
  struct Ending {
    uint32_t Context; ///< CUPTI's id
    uint64_t Ticks;
  };

  /// Any thread. Beyond the limit, which no program comes close to between two
  /// rounds of the collector, the oldest is dropped.
  void push(const Ending &New) {
    pthread_mutex_lock(&Mutex);
    Endings[Count++ % Most] = New;
    pthread_mutex_unlock(&Mutex);
  }

  /// False if there is none.
  bool pop(Ending &Result) {
    pthread_mutex_lock(&Mutex);
    if (Count - Taken > Most)
      Taken = Count - Most;
    bool Any = Taken != Count;
    if (Any)
      Result = Endings[Taken++ % Most];
    pthread_mutex_unlock(&Mutex);
    return Any;
  }

private:
  static constexpr uint64_t Most = 64;
  Ending Endings[Most] = {};
  uint64_t Count = 0;
  uint64_t Taken = 0;
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_CONTEXT_ENDS_H
