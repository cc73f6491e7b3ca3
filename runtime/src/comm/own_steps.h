// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The own time of single steps, which shows who is late in every layout of
// ranks: a rank's step is own time plus waits for others, and all ranks' steps
// take equally long.
//
//   a step ends -> looks at the phases, if it or the next step is a sample
//   in a sample: a wait begins -> the phases before it are a segment
//                it ends       -> whether that segment was critical
//
// Samples are the steps whose number is divisible by the stride, which doubles
// when 512 are kept. All ranks do the same, without knowing of each other.

#ifndef LOOPSCOPE_COMM_OWN_STEPS_H
#define LOOPSCOPE_COMM_OWN_STEPS_H

#include "base/thread_links.h"

#include <stdint.h>

namespace loopscope::runtime {

/// Registers the counter, and begins if the environment says that there are
/// several ranks.
void registerOwnSteps();
/// There are several ranks: begins.
void wantOwnSteps();

/// A step of STEP ended at NOW; its loop has done STEPS steps. Returns the
/// ticks that this took, as the next two.
uint64_t sampleStep(Node *Step, uint64_t Steps, uint64_t Now);
/// A span of N, a wait or collective, begins or has ended at NOW.
uint64_t beginSampledWait(Node *N, uint64_t Now);
uint64_t endSampledWait(Node *N, uint64_t Now);
/// N is a new wait: the running step may be a sample.
void chooseSampledWait(Node *N);

/// The calling thread ends.
void forgetSamples();
/// For a forked child, which is not a rank.
void resetOwnSteps();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_OWN_STEPS_H
