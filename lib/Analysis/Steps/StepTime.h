// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the time of a run's steps went to, as one plain struct for profiles and
// traces alike: what the verdict, the recommendations and every printer of
// either rest on.
//
//   a profile's sums      hold the whole run, whatever views are read
//   its timeline          if complete: exact where work overlaps
//   a trace               the same from its events, so that a run and its own
//                         Chrome export have the same figures
//
// Steps are those of the training loops; of a run without one, of all loops; of
// a run without loops, the run is the step.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_STEPTIME_H
#define LOOPSCOPE_ANALYSIS_STEPS_STEPTIME_H

#include "Analysis/Steps/HostUse.h"
#include "Analysis/Steps/TraceSteps.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A phase's part of the steps, nanoseconds. Functions belong to the phase
/// around them. Covers all steps of the run, including those that StepTime
/// leaves out.
struct PhaseTime {
  std::string Name; ///< "forward", "draw"; empty outside all phases, as for a
                    ///< loop whose phases are too short to be measured
  std::string File; ///< empty: not known, as in a trace
  uint32_t Line = 0;
  int64_t InputNs = 0;   ///< waiting for data
  int64_t HostNs = 0;    ///< all other time on the host, without inner phases
  int64_t BlockedNs = 0; ///< of HostNs, in calls that wait for a device
  /// The time in marked waits: of InputNs, and of HostNs outside BlockedNs.
  int64_t InputWaitNs = 0;
  int64_t HostWaitNs = 0;
  /// What the kernel reports about the rest of InputNs and of HostNs;
  /// MeasuredNs is the part of them that it covers (OwnCpu.h).
  CpuSums InputCpu;
  CpuSums HostCpu;
  /// How InputNs and HostNs were spent, the sums of their call paths.
  HostUse InputUses;
  HostUse HostUses;
  int64_t HookNs = 0; ///< of both, what the profiler took
  uint64_t Spans = 0; ///< of the phase and of its functions
  /// Of the device work that it launched.
  int64_t KernelNs = 0;
  int64_t CopyNs = 0;
  int64_t CommunicationNs = 0;
  /// A collective of the host, or an operation of NCCL's or Gloo's: HostNs is
  /// communication.
  bool Communicates = false;
};

/// Why phases lack the kernel's figures.
enum class MissingCpu : uint8_t {
  Trace,   ///< traces don't have it
  NotRead, ///< nobody asked the kernel
  Refused, ///< the kernel doesn't report it
  Short    ///< phases are too short to ask; others have it
};

/// The steps' time by use. The host's parts are shares of HostNs, the devices'
/// of DeviceNs; host and devices work at the same time.
struct StepTime {
  bool HasSteps = false; ///< else the figures are of the run
  bool HasGpu = false;
  bool HasCommunication = false;
  bool HasWaits = false; ///< places that are marked as waits
  /// Whether InputIdleNs, overlaps and unions are exact: from events. Sums
  /// take what overlaps to be one after the other.
  bool IsExact = false;

  std::string Doubt; ///< why no verdict may rest on it; empty: one may

  uint64_t Steps = 0;    ///< finished; 0 without steps
  uint64_t Threads = 1;  ///< that the steps ran on at the same time
  int64_t HostNs = 0;    ///< of all steps; sum over threads
  int64_t InputNs = 0;   ///< waiting for data
  int64_t LaunchNs = 0;  ///< in calls that put work on a device
  int64_t BlockedNs = 0; ///< in calls that wait for a device
  int64_t OtherNs = 0;   ///< in other CUDA calls
  int64_t WaitNs = 0;    ///< in marked waits, except in draws
  int64_t UsefulNs = 0;  ///< outside all waits; see UsefulTime.h

  int64_t DeviceNs = 0; ///< the steps, once per device that worked
  int64_t KernelNs = 0; ///< running kernels, except communication
  int64_t CopyNs = 0;   ///< copies and memsets that no kernel overlaps
  /// Communication that no kernel overlaps and, if it is the host's, no copy
  /// either; without devices, while the steps' threads run no operator.
  int64_t CommunicationNs = 0;
  int64_t HiddenNs = 0;    ///< without devices, the rest of it
  int64_t InputIdleNs = 0; ///< waiting for data while a device idles

  uint64_t Kernels = 0; ///< with times and a known launch, in the whole run
  uint64_t ShortKernels = 0; ///< of these, shorter than their launch

  MissingCpu NoCpu = MissingCpu::NotRead;
  /// The time in which the kernel held the process back to its share of
  /// processors; negative: not known.
  int64_t ThrottledNs = -1;

  std::vector<PhaseTime> Phases; ///< a place may be in several

  int64_t idleNs() const;
  /// Whether InputNs is no wait for data, because a mean draw is too short to
  /// be one (Thresholds.h): usually, it is what the loop's header takes.
  bool hasShortDraws() const;
  /// What to call InputNs: "waiting for data" or "in draws".
  const char *inputWords() const;
  /// What to call CommunicationNs: "communication", and which of it.
  const char *communicationWords() const;
};

/// The figures of \p R, a profile, from its sums.
StepTime stepTimeOfSums(const Run &R);

/// The figures of \p Stream, the events from which \p Steps was computed: a
/// trace's, or those of a profile's complete timeline. \p Of has the tree, for
/// the phases; a trace without EventStream::NodeOf has none.
StepTime stepTimeOfEvents(const Run &Of, const EventStream &Stream,
                          const StepAnalysis &Steps);

/// Adds the steps of another run of the same program.
void addStepTime(const StepTime &From, StepTime &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_STEPTIME_H
