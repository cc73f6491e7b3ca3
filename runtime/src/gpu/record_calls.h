// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's calls for records: the global ones, or those of one of several
// subscribers. CUPTI forbids both in one process, so nothing else calls them.

#ifndef LOOPSCOPE_GPU_RECORD_CALLS_H
#define LOOPSCOPE_GPU_RECORD_CALLS_H

#include "cupti.h"

namespace loopscope::runtime {

/// CUPTI's callbacks for buffers; see cupti_abi.h.
struct BufferCallbacks {
  cupti::BufferRequested Requested;
  cupti::BufferCompleted Completed;
  cupti::SharedBufferRequested SharedRequested;
  cupti::SharedBufferCompleted SharedCompleted;
};

class RecordCalls {
public:
  /// AMONG: our subscription if there may be others, else null. Make none of
  /// the calls before this one.
  void use(const Cupti &Functions, cupti::Subscriber Among) {
    Api = &Functions;
    Subscription = Among;
  }
  /// Whether other tools can collect at the same time.
  bool areShared() const { return Subscription != nullptr; }

  cupti::Result registerBuffers(const BufferCallbacks &Callbacks) const;
  cupti::Result registerClock(cupti::TimestampCallback Clock) const;
  /// What CUPTI itself may take at most, per context; 0: unknown.
  struct OwnMemory {
    uint64_t DeviceBytes;
    uint64_t HostBytes; ///< pinned
  };
  /// Lowers the limit of CUPTI's buffers, before there is a context, and tells
  /// what remains. Nothing among other tools, whose buffers they are, too.
  OwnMemory limitOwnMemory() const;
  /// Enables records of KIND; devices are recorded even if the driver started
  /// earlier.
  cupti::Result enable(uint32_t Kind) const;
  cupti::Result disable(uint32_t Kind) const;
  cupti::Result next(uint8_t *Buffer, size_t Valid, cupti::Record **) const;
  /// The number of records dropped since the last call.
  cupti::Result takeDropped(size_t *Count) const;
  /// Flushes the buffers of all subscribers, because CUPTI has no other flush.
  cupti::Result flush(uint32_t Flags) const { return Api->FlushAll(Flags); }

private:
  const Cupti *Api = nullptr;
  cupti::Subscriber Subscription = nullptr;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_RECORD_CALLS_H
