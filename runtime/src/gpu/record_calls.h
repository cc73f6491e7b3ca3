// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's calls about records: the global ones, or those of one subscriber
// among several. CUPTI forbids both in one process, so nothing else calls them.

#ifndef LOOPSCOPE_GPU_RECORD_CALLS_H
#define LOOPSCOPE_GPU_RECORD_CALLS_H

#include "cupti.h"

namespace loopscope::runtime {

/// What CUPTI calls for its buffers; see cupti_abi.h.
struct BufferCallbacks {
  cupti::BufferRequested Requested;
  cupti::BufferCompleted Completed;
  cupti::SharedBufferRequested SharedRequested;
  cupti::SharedBufferCompleted SharedCompleted;
};

class RecordCalls {
public:
  /// AMONG is our subscription where there may be others, else null. Until then
  /// none of the calls may be made.
  void use(const Cupti &Functions, cupti::Subscriber Among) {
    Api = &Functions;
    Subscription = Among;
  }
  /// Whether other tools may collect at the same time.
  bool areShared() const { return Subscription != nullptr; }

  cupti::Result registerBuffers(const BufferCallbacks &Callbacks) const;
  cupti::Result registerClock(cupti::TimestampCallback Clock) const;
  /// Devices are put on record whenever the driver started.
  cupti::Result enable(uint32_t Kind) const;
  cupti::Result disable(uint32_t Kind) const;
  cupti::Result next(uint8_t *Buffer, size_t Valid, cupti::Record **) const;
  /// Records that were dropped since the last question.
  cupti::Result takeDropped(size_t *Count) const;
  /// The buffers of all subscribers, as CUPTI has no other flush.
  cupti::Result flush(uint32_t Flags) const { return Api->FlushAll(Flags); }

private:
  const Cupti *Api = nullptr;
  cupti::Subscriber Subscription = nullptr;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_RECORD_CALLS_H
