// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can still come: launches whose records aren't here. No work that is yet
// to come began before the earliest of their calls, nor before the moment when
// the last look at the calls was made.
//
// A call that brings no record after all (nothing to copy, a record that was
// dropped) must not hold everything up. CUPTI gives a record its place in a
// buffer when the work is launched, so what was launched comes no more when
// every buffer is back that was out when its call returned. Only for a CUPTI
// that keeps records elsewhere, such a call is given up when the records of
// Patience others have overtaken it.
//
// What is over once is over for good, so a look goes through the calls by their
// starts, up to the first that isn't: its cost is that of what is over. All
// calls are looked at when there are twice as many as were left the last time,
// and before the table of launches loses them.

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

  /// The call that a record with this id belongs to, whose record it is; false
  /// when it isn't known.
  bool arrived(uint32_t Correlation, Launch &Result);

  /// Looks at the calls so far. The time before which no work began that is
  /// still to come, by the host's clock: at most NOW, which is before this
  /// call. OLDEST_BUFFER: when the oldest buffer that CUPTI has was given to
  /// it; UINT64_MAX without one.
  uint64_t look(uint64_t Now, uint64_t OldestBuffer);

  /// Kernels whose launch had returned at BEFORE, by the host's clock, and
  /// whose records aren't here, by the last look; SINCE: when the first of them
  /// was launched.
  uint64_t missingKernels(uint64_t Before, uint64_t &Since);

  /// Launches whose records are missing. Slow.
  size_t size(uint64_t OldestBuffer);

  /// Records of other calls that may overtake a call without one.
  static constexpr uint64_t Patience = uint64_t(1) << 14;
  /// The same where a buffer is out that its record may be in.
  static constexpr uint64_t LongPatience = uint64_t(1) << 20;
  /// Calls that are waited for at once (48 MiB); beyond, the earliest is given
  /// up.
  static constexpr size_t MostOpen = Launches::Size;
  /// And those that the table of launches soon has no more.
  static constexpr size_t MostOld = 4096;

private:
  struct Call {
    uint32_t Correlation;
    bool IsKernel;
    bool Several; // records
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
  size_t First = 0;               // what is before is over
  size_t LeftBySweep = 0;         // open ones
  uint32_t Newest = 0;            // id
  uint32_t NewestAtSweep = 0;     // the same
  Array<Call> Old;                // in the table of launches not for long
  uint32_t *ArrivedIds = nullptr; // by the lower bits of the id
  uint64_t Arrivals = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_OUTSTANDING_H
