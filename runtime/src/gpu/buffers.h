// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for CUPTI's records: a fixed number of buffers that CUPTI fills and
// the collector empties.
#ifndef LOOPSCOPE_GPU_BUFFERS_H
#define LOOPSCOPE_GPU_BUFFERS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

class BufferPool {
public:
  /// Reserves the address space; false without.
  bool create();

  /// A buffer of BufferBytes, aligned for records; null when all are in use.
  /// Any thread, no lock.
  uint8_t *take();

  /// CUPTI has filled VALID bytes of a buffer. Any thread.
  void complete(uint8_t *Buffer, size_t Valid);

  /// The buffer that was completed longest ago; false when there is none. It
  /// goes back with free().
  bool nextCompleted(uint8_t *&Buffer, size_t &Valid);
  void free(uint8_t *Buffer);

  /// Whether CUPTI may soon find no free buffer.
  bool isShort() const;

  static constexpr size_t BufferBytes = size_t(256) * 1024;
  /// CUPTI 13 keeps one for each thread that calls CUDA.
  static constexpr unsigned Count = 256;

private:
  struct Filled {
    uint8_t *Buffer;
    size_t Valid;
  };
  static constexpr unsigned Words = Count / 64;

  uint8_t *Memory = nullptr;
  uint64_t InUse[Words] = {}; // a bit for each buffer
  unsigned Taken = 0;
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Filled Completed[Count] = {}; // a ring
  unsigned First = 0;
  unsigned Waiting = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_BUFFERS_H
