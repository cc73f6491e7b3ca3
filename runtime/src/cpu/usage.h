// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel says of the calling thread so far: its processor time, page
// faults, switches, and the time that it was ready and had no processor.
//
// The processor time is the thread's clock and not getrusage's, which the
// kernel brings up to date at its own ticks and when threads switch only: what
// a phase computed would be charged to the next one that sleeps.

#ifndef LOOPSCOPE_RUNTIME_SRC_CPU_USAGE_H
#define LOOPSCOPE_RUNTIME_SRC_CPU_USAGE_H

#include <stdint.h>

namespace loopscope::runtime {

/// Figures that only grow; or the difference of two.
struct Usage {
  uint64_t CpuNs = 0;
  uint64_t MinorFaults = 0;
  uint64_t MajorFaults = 0;
  uint64_t Voluntary = 0;   ///< switches because it waited
  uint64_t Involuntary = 0; ///< switches because another one had its turn
  uint64_t StarvedNs = 0;   ///< ready to run, without a processor
  bool HasFaults = false;   ///< faults and switches are known
  bool HasStarved = false;
};

/// Of what both have; the rest is 0.
Usage operator-(const Usage &Now, const Usage &Before);
Usage operator+(const Usage &One, const Usage &Other);

/// What can't be read, in the order of the counters that say so.
enum class Unreadable : uint32_t { Clock, Faults, Starved, Count };

/// Reads the thread's figures, with StarvedNs if WITH_STARVED. False where the
/// clock can't be read; what else can't be is 0, and is not asked for again.
/// errno may change.
bool readUsage(Usage &Into, bool WithStarved);

/// Whether PART could not be read once; each is counted in the profile.
bool isUnreadable(Unreadable Part);

/// Registers the counters. When the extension starts.
void registerUnreadable();
/// For a forked child: everything is tried again.
void resetUnreadable();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_CPU_USAGE_H
