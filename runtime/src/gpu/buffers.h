// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers for CUPTI's records: CUPTI fills them, the collector empties them.
// Address space is reserved at once, and memory is used as CUPTI writes it, so
// usage grows with the number of threads that call CUDA.

#ifndef LOOPSCOPE_GPU_BUFFERS_H
#define LOOPSCOPE_GPU_BUFFERS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

class BufferPool {
public:
  /// Reserves the address space; false if that fails.
  bool create();

  /// A buffer, aligned for records, and its size; null when all are in use. Any
  /// thread, no lock.
  uint8_t *take(size_t &Bytes);

  /// CUPTI has filled VALID bytes of a buffer. False: the buffer isn't ours,
  /// but of a tool that collected earlier. Any thread.
  bool complete(uint8_t *Buffer, size_t Valid);

  /// The buffer that was completed longest ago; false if there is none. Return
  /// it with free().
  bool nextCompleted(uint8_t *&Buffer, size_t &Valid);
  void free(uint8_t *Buffer);

  /// The time at which CUPTI got the oldest buffer that isn't free again;
  /// UINT64_MAX if all are free. May be too early.
  uint64_t oldestTaken() const;

  /// Whether CUPTI may soon run out of free buffers.
  bool isShort() const;

  /// CUPTI 13 keeps one buffer per thread that calls CUDA. The first LargeCount
  /// have LargeBytes, the others SmallBytes: 184 MiB at most.
  static constexpr unsigned Count = 4096;
  static constexpr unsigned LargeCount = 256;
  static constexpr size_t LargeBytes = size_t(256) * 1024;
  static constexpr size_t SmallBytes = size_t(32) * 1024;

private:
  struct Filled {
    uint8_t *Buffer;
    size_t Valid;
  };
  static constexpr unsigned Words = Count / 64;

  static size_t placeOf(unsigned Index) {
    return Index < LargeCount
               ? Index * LargeBytes
               : LargeCount * LargeBytes + (Index - LargeCount) * SmallBytes;
  }
  // The index of the buffer at offset PLACE of the memory.
  static unsigned indexOf(size_t Place) {
    constexpr size_t Large = LargeCount * LargeBytes;
    return static_cast<unsigned>(Place < Large ? Place / LargeBytes
                                               : LargeCount + (Place - Large) /
                                                                  SmallBytes);
  }

  uint8_t *Memory = nullptr;
  uint64_t InUse[Words] = {}; // a bit for each buffer
  unsigned Taken = 0;
  uint64_t TakenAt[Count] = {}; // ticks
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Filled Completed[Count] = {}; // a ring
  unsigned First = 0;
  unsigned Waiting = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_BUFFERS_H
