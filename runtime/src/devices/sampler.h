// The device sampler: a thread of ours that looks at the host, the process and
// the GPUs from time to time, and charges what it sees to the phase that the
// main thread is in. Between its rounds it makes room in the timeline's ring,
// when a writer calls it.
//
// It touches the profile, /proc and NVML, and nothing of the program. It has
// all signals blocked, so none is delivered to it, and sleeps in a futex.
#pragma once

namespace loopscope::runtime {

/// Starts the thread, once for each profile, if the options want it. Where that
/// can't be, the profile says why. On a slow path, without the slow lock.
void startSampler();

/// Wakes the thread for makeEventChunk() (events.h), unless it is busy: call
/// again then. Nothing without the thread. From any thread.
void callSampler();

/// Stops it for good and waits until it has let go of the profile and of NVML;
/// not longer than a tenth of a second (a GPU that hangs).
void stopSampler();

/// The same without waiting.
void tellSamplerToStop();

/// For a forked child: there is no such thread.
void abandonSampler();

} // namespace loopscope::runtime
