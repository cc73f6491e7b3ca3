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

namespace loopscope {

/// The host side of \p Trace. Device work has no place in a profile's times.
Profile profileOfTrace(const KinetoTrace &Trace);

} // namespace loopscope

#endif // LOOPSCOPE_PROFILE_KINETOPROFILE_H
