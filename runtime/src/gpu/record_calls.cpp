// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both variants of each call.

#include "record_calls.h"

using namespace loopscope::runtime;

cupti::Result
RecordCalls::registerBuffers(const BufferCallbacks &Callbacks) const {
  return areShared()
             ? Api->Shared.RegisterCallbacks(Subscription,
                                             Callbacks.SharedRequested,
                                             Callbacks.SharedCompleted)
             : Api->RegisterCallbacks(Callbacks.Requested, Callbacks.Completed);
}

cupti::Result RecordCalls::registerClock(cupti::TimestampCallback Clock) const {
  size_t Size = sizeof(Clock);
  return areShared()
             ? Api->Shared.SetAttribute(Subscription, cupti::TimestampAttribute,
                                        &Size, static_cast<void *>(&Clock))
             : Api->RegisterTimestampCallback(Clock);
}

// A buffer has 100,000 records of work and is free again when they were
// flushed, so 32 are more than are ever in use.
static constexpr size_t MostBuffers = 32;

RecordCalls::OwnMemory RecordCalls::limitOwnMemory() const {
  OwnMemory Result = {};
  if (areShared() || Api->GetAttribute == nullptr)
    return Result;
  size_t Bytes = 0, Buffers = 0, Size = sizeof(size_t);
  uint8_t OnHost = 0;
  if (Api->GetAttribute(cupti::BufferLimitAttribute, &Size, &Buffers) !=
          cupti::Success ||
      Api->GetAttribute(cupti::BufferBytesAttribute, &Size, &Bytes) !=
          cupti::Success)
    return Result;
  size_t Lower = MostBuffers;
  if (Buffers > Lower && Api->SetAttribute != nullptr &&
      Api->SetAttribute(cupti::BufferLimitAttribute, &Size, &Lower) ==
          cupti::Success)
    Buffers = Lower;
  Size = sizeof(OnHost);
  // Older versions have them on the device.
  if (Api->GetAttribute(cupti::BuffersOnHostAttribute, &Size, &OnHost) !=
      cupti::Success)
    OnHost = 0;
  (OnHost != 0 ? Result.HostBytes : Result.DeviceBytes) = Buffers * Bytes;
  return Result;
}

cupti::Result RecordCalls::enable(uint32_t Kind) const {
  // CUPTI records devices when the driver starts, which may have happened
  // already.
  bool Dumps = Kind == cupti::DeviceKind;
  if (areShared())
    return (Dumps ? Api->Shared.EnableAndDump
                  : Api->Shared.Enable)(Subscription, Kind, nullptr);
  return (Dumps && Api->EnableAndDump != nullptr ? Api->EnableAndDump
                                                 : Api->Enable)(Kind);
}

cupti::Result RecordCalls::disable(uint32_t Kind) const {
  return areShared() ? Api->Shared.Disable(Subscription, Kind, nullptr)
                     : Api->Disable(Kind);
}

cupti::Result RecordCalls::next(uint8_t *Buffer, size_t Valid,
                                cupti::Record **Record) const {
  return areShared()
             ? Api->Shared.GetNextRecord(Subscription, Buffer, Valid, Record)
             : Api->GetNextRecord(Buffer, Valid, Record);
}

cupti::Result RecordCalls::takeDropped(size_t *Count) const {
  return areShared()
             ? Api->Shared.GetNumDropped(Subscription, nullptr, 0, Count)
             : Api->GetNumDropped(nullptr, 0, Count);
}
