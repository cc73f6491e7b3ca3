// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records are read word by word; one that is shorter than it should be is left
// out.

#include "Sample/PerfRecords.h"

#include "perf_registers.h"

#include <algorithm>
#include <cstring>

using namespace loopscope;

namespace {
// A record's bytes, from front to back. What is beyond its end is 0, and IsBad.
class Fields {
public:
  Fields(const char *At, size_t Left) : At(At), Left(Left) {}

  template <typename T> T take() {
    T Result{};
    if (const char *From = skip(sizeof(T)))
      std::memcpy(&Result, From, sizeof(T));
    return Result;
  }

  /// Null: there are fewer bytes.
  const char *skip(uint64_t Bytes) {
    if (Bytes > Left) {
      IsBad = true;
      Left = 0;
      return nullptr;
    }
    const char *Result = At;
    At += Bytes;
    Left -= Bytes;
    return Result;
  }

  const char *At;
  size_t Left;
  bool IsBad = false;
};

void visitSample(Fields From, PerfVisitor &Visitor) {
  PerfSample Result;
  Result.Pid = From.take<int32_t>();
  Result.Tid = From.take<int32_t>();
  // A thread without registers of the program's is being started or ended.
  if (From.take<uint64_t>() == PERF_SAMPLE_REGS_ABI_NONE)
    return;
  uint64_t Values[runtime::PerfRegisterCount + 1] = {};
  for (unsigned I = 0; I < runtime::PerfRegisterCount; ++I)
    Values[I] = From.take<uint64_t>();
  Result.At = runtime::interruptedBy(Values);
  auto Room = From.take<uint64_t>();
  Result.Stack = From.skip(Room);
  auto Copied = Room == 0 ? 0 : From.take<uint64_t>();
  Result.StackBytes = std::min(Room, Copied);
  Result.IsCut = Copied >= Room;
  if (!From.IsBad)
    Visitor.sampled(Result);
}

void visitMapping(Fields From, PerfVisitor &Visitor) {
  PerfMapping Result;
  Result.Pid = From.take<int32_t>();
  From.take<uint32_t>(); // thread
  Result.Start = From.take<uint64_t>();
  Result.Bytes = From.take<uint64_t>();
  Result.FileOffset = From.take<uint64_t>();
  constexpr size_t FileBytes = 24; // device, inode
  constexpr size_t RightsBytes = 8;
  From.skip(FileBytes + RightsBytes);
  if (From.IsBad)
    return;
  Result.Path.assign(From.At, strnlen(From.At, From.Left));
  Visitor.mapped(Result);
}
} // namespace

void loopscope::visitRecord(const perf_event_header *Head, bool Samples,
                            PerfVisitor &Visitor) {
  Fields From(reinterpret_cast<const char *>(Head), Head->size);
  From.skip(sizeof(*Head));
  if ((Head->type == PERF_RECORD_SAMPLE) != Samples)
    return;
  switch (Head->type) {
  case PERF_RECORD_SAMPLE:
    visitSample(From, Visitor);
    return;
  case PERF_RECORD_MMAP2:
    visitMapping(From, Visitor);
    return;
  case PERF_RECORD_COMM:
    if ((Head->misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
      Visitor.executed(From.take<int32_t>());
    return;
  case PERF_RECORD_LOST:
    From.take<uint64_t>(); // the event
    Visitor.lost(From.take<uint64_t>());
    return;
  default:
    return;
  }
}
