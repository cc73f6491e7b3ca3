// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches whose records haven't arrived, and therefore the time before which
// everything is known: no work still to arrive began before the earliest of
// their calls, nor before the last look at the calls.
//
// A call that never brings a record (nothing to copy, or the record was
// dropped) must not block everything. CUPTI reserves a record's place in a
// buffer at launch, so a record can't arrive any more once every buffer is back
// that was out when its call returned. For a CUPTI that keeps records
// elsewhere, a call is given up after Patience records of others have overtaken
// it.
//
// What is settled stays settled, so a look goes through the calls by their
// starts, up to the first open one, and costs only the settled ones. It goes
// through all calls when their number has doubled since the last time, and
// before the table of launches overwrites them.

#ifndef LOOPSCOPE_GPU_OUTSTANDING_H
#define LOOPSCOPE_GPU_OUTSTANDING_H

#include "array.h"
#include "launches.h"

namespace loopscope::runtime {

class Outstanding {
public:
  explicit Outstanding(Launches &Calls) : Calls(Calls) {}
  Outstanding(const Outstanding &) = delete;
  Outstanding &operator=(const Outstanding &) = delete;
  ~Outstanding();

  /// The call that a record with this id belongs to; false if it isn't known.
  bool arrived(uint32_t Correlation, Launch &Result);

  /// Goes through the calls so far. Returns the host time before which no work
  /// began that is still to arrive: at most NOW, which must be before this
  /// call. OLDEST_BUFFER: when CUPTI got its oldest buffer; UINT64_MAX: it has
  /// none.
  uint64_t look(uint64_t Now, uint64_t OldestBuffer);

  /// As of the last look, the number of kernels whose launch had returned by
  /// the host time BEFORE, and whose records are missing. SINCE: when the first
  /// of them was launched.
  uint64_t missingKernels(uint64_t Before, uint64_t &Since);

  /// The number of launches with missing records. Slow.
  size_t size(uint64_t OldestBuffer);

  /// How many records of other calls may overtake a call without one.
  static constexpr uint64_t Patience = uint64_t(1) << 14;
  /// The same while a buffer is out that may hold its record.
  static constexpr uint64_t LongPatience = uint64_t(1) << 20;
  /// Calls to wait for at once (48 MiB); beyond that, the earliest is given up.
  static constexpr size_t MostOpen = Launches::Size;
  /// And calls that the table of launches is about to overwrite.
  static constexpr size_t MostOld = 4096;

private:
  struct Call {
    uint32_t Correlation;
    bool IsKernel;
    bool Several; // several records
    bool HasArrived;
    Launch Made;
    uint64_t ArrivalsBefore;
  };
  static constexpr size_t Few = 4096;

  void take(uint32_t Correlation);
  bool mayStillCome(const Call &C, uint64_t OldestBuffer) const;
  bool update(Call &C) const;
  bool isOver(Call &C, uint64_t OldestBuffer) const;
  bool isOpen(Call &C, uint64_t OldestBuffer);
  void sweep(uint64_t OldestBuffer);
  void filterOld(uint64_t OldestBuffer);

  Launches &Calls;
  Array<Call> Open;               // by their starts
  size_t First = 0;               // all before it are settled
  size_t LeftBySweep = 0;         // open ones
  uint32_t Newest = 0;            // as an id
  uint32_t NewestAtSweep = 0;     // likewise
  Array<Call> Old;                // soon overwritten in the table of launches
  uint32_t *ArrivedIds = nullptr; // by the lower bits of the id
  uint64_t Arrivals = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_OUTSTANDING_H
