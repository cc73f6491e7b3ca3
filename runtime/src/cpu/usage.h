// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel's figures for the calling thread so far: processor time, page
// faults, switches, and the time that it was ready without a processor.
//
// The processor time comes from the thread's clock instead of getrusage, which
// the kernel updates only at its ticks and at thread switches: a phase's
// computation would be charged to the next phase that sleeps.

#ifndef LOOPSCOPE_RUNTIME_SRC_CPU_USAGE_H
#define LOOPSCOPE_RUNTIME_SRC_CPU_USAGE_H

#include <stdint.h>

namespace loopscope::runtime {

/// Figures that only grow, or the difference of two.
struct Usage {
  uint64_t CpuNs = 0;
  uint64_t MinorFaults = 0;
  uint64_t MajorFaults = 0;
  uint64_t Voluntary = 0;   ///< switches because the thread waited
  uint64_t Involuntary = 0; ///< switches because another thread had its turn
  uint64_t StarvedNs = 0;   ///< ready to run, without a processor
  uint64_t OthersNs = 0;    ///< of the process's other threads, on processors;
                            ///< with StarvedNs, 0 if it can't be read
  bool HasFaults = false;   ///< faults and switches are known
  bool HasStarved = false;
};

/// The difference of figures that both have; others are 0.
Usage operator-(const Usage &Now, const Usage &Before);
Usage operator+(const Usage &One, const Usage &Other);

/// Figures that can't be read, in the order of their counters.
enum class Unreadable : uint32_t { Clock, Faults, Starved, Count };

/// Reads the thread's figures, with StarvedNs if WITH_STARVED. False if the
/// clock can't be read. Other figures that can't be read are 0 and aren't tried
/// again. May change errno.
bool readUsage(Usage &Into, bool WithStarved);

/// Whether PART was unreadable once; each is counted in the profile.
bool isUnreadable(Unreadable Part);

/// Registers the counters; call it when the extension starts.
void registerUnreadable();
/// For a forked child: tries everything again.
void resetUnreadable();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_CPU_USAGE_H
