// A PyTorch trace as a profile: the same call-path trees as our own runs give,
// so that the simple, throughput and tree views need no second code.
//
//   ProfilerStep#N                  -> a step of one training loop
//   the data loader's next inside   -> the step's draw; all else is its batch
//   user annotations, Optimizer.*   -> phases
//   operators and Python functions  -> functions
#ifndef LOOPSCOPE_PROFILE_KINETOPROFILE_H
#define LOOPSCOPE_PROFILE_KINETOPROFILE_H

#include "Profile/KinetoTrace.h"
#include "Profile/Model.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// True for what `loopscope export --to chrome` writes, which has the run's
/// stages and loops as annotations.
bool isOwnExport(const KinetoTrace &Trace);

/// The host side of \p Trace. Device work has no place in a profile's times.
Profile profileOfTrace(const KinetoTrace &Trace);

/// The same, and where device work comes from.
struct TraceProfile {
  Profile Host;
  /// Per event of the trace: the node of Host that device work was launched in;
  /// None where the launch is unknown, and for all other events.
  std::vector<uint32_t> LaunchedIn;
};

/// Device work belongs to the innermost call around its launch on the launching
/// thread; where no phase is around that, as on the thread of a backward pass,
/// to what the main thread did at the time. That is what our own runs do.
TraceProfile profileWithLaunches(const KinetoTrace &Trace);

} // namespace loopscope

#endif // LOOPSCOPE_PROFILE_KINETOPROFILE_H
