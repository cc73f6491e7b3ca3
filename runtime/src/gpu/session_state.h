// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of GPU collection, shared by the callbacks on the program's threads
// and the collecting thread. Only gpu/*.cpp include this.

#ifndef LOOPSCOPE_GPU_SESSION_STATE_H
#define LOOPSCOPE_GPU_SESSION_STATE_H

#include "buffers.h"
#include "calls.h"
#include "collector.h"
#include "context_ends.h"
#include "cupti.h"
#include "device_clock.h"
#include "event_queue.h"
#include "record_calls.h"
#include "sampling.h"

#include "profile/sums.h"

namespace loopscope::runtime {

/// Everything that collection needs, made once, never freed. Lies in its own
/// memory, because the library may have no static destructors.
struct GpuSession {
  /// USED is null except in trace mode.
  explicit GpuSession(EventRing *Used)
      : Ring(Used), Adding(Store, Calls, Graphs, Names, Used) {}

  static constexpr uint32_t MaxCalls = 1024; // ids of a domain

  Cupti Api;
  cupti::Subscriber Subscription = nullptr;
  RecordCalls Recording;
  DeviceClock Clock;
  BufferPool Buffers;
  Launches Calls;
  GraphNodes Graphs;
  KernelNames Names;
  ContextEndings Endings;
  WaitQueue Waits;
  EventQueue<DeviceUse, 256> Uses; // what isn't taken in a minute is lost
  bool IsUseRead = false;          // of the collecting thread
  HardwareSampling Sampling;       // likewise
  EventRing *Ring = nullptr;       // trace mode
  GpuStore Store;
  Collector Adding;
  SumId Cost = NotRegistered; // callbacks' costs, by node

  CallClass Classes[2][MaxCalls] = {};      // by domain - 1 and id
  BorderOfCall Borders[2][MaxCalls] = {};   // likewise
  RecordsOfCall Records[2][MaxCalls] = {};  // likewise
  bool HadWindow = false;                   // cudaProfilerStart() was called
  uint32_t CallFunctions[2][MaxCalls] = {}; // index + 1; trace mode

  // At the end: the number of kernels whose records CUPTI owes us, when the
  // first of them was launched, and whether CUPTI kept buffers.
  uint64_t MissingKernels = 0;
  uint64_t MissingSince = 0;
  bool HasKeptBuffers = false;

  // 0 until the first CUDA call, then 1 while one thread makes the profile and
  // the collecting thread, then 2.
  uint32_t Running = 0;
};

/// The session while it collects, else null.
extern GpuSession *Collecting;

/// Makes the profile and the collecting thread at the first CUDA call. False:
/// not now, or never.
bool beginCollecting(GpuSession &S);

/// Registers the end of collection to run before all exit handlers registered
/// so far. Call it once CUDA and CUPTI have worked, because they shut down in
/// theirs. False: it couldn't be registered.
bool finishAtExit();

/// Counts buffers that came back but can't be read because CUPTI has stopped.
void countUnread(GpuSession &S);

/// Ends collection; WHY says why it can't go on.
void stopCollecting(const char *Why);

/// CUPTI's callback for CUDA calls, on the threads that make them.
void onCudaCall(void *Data, uint32_t Domain, uint32_t Id,
                const void *CallbackData);

/// LaunchBelongs of Extension.
void chargeCall(uint32_t Correlation, uint32_t Node);

/// A forked child has made a CUDA call.
void noteCallInChild();

/// Starts the thread that empties buffers; false if that fails.
bool startCollectorThread(GpuSession &S);
/// Makes the thread run a round now.
void wakeCollector();
/// Flushes all records, adds them up and ends the thread; false if that takes
/// longer than a few seconds.
bool finishCollector();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_SESSION_STATE_H
