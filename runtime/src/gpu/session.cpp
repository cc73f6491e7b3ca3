// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start and end of GPU collection, and the messages if there is none.

#include "session.h"

#include "base/clock.h"
#include "base/kernel_time.h"
#include "base/loaded.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/thread_memory.h"
#include "extension.h"
#include "process/facts.h"
#include "process/process.h"
#include "profile/counts.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "reason.h"
#include "sampling.h"
#include "session_state.h"
#include "subscription.h"
#include "tree/events.h"
#include "tree/schedule.h"
#include "tree/slow_path.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_counters.h>
#include <loopscope/run_settings.h>

#include <errno.h>
#include <new>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

using namespace loopscope::runtime;

GpuSession *loopscope::runtime::Collecting = nullptr;

namespace {
// CUPTI may call CUDA while it starts.
LOOPSCOPE_PER_THREAD(bool, IsStarting);

// What is known before there is a profile to store it in.
struct Outcome {
  loopscope_gpu_state State;
  uint32_t CuptiVersion;
  uint64_t StartTicks;
  char Note[sizeof(loopscope_profile_header::gpu_note)];
  char Library[sizeof(loopscope_profile_header::gpu_library)];
};
struct GpuState {
  Outcome Known = {};
  DeviceClock MapOfSession;    // between ticks and nanoseconds, fixed
  GpuSession *Begun = nullptr; // CUPTI may keep its buffers forever
  bool Tried = false;
  uint64_t Looked = 0;    // number of loaded objects at the last look
  bool HasDriver = false; // loaded, if other tools come first
  bool SayAtExit = false; // say at exit why there is no GPU data
  bool InChild = false;
  bool SaidInChild = false;
  // In a child: the parent's session, from before it used CUDA, as long as it
  // may still be ended; see endInherited().
  GpuSession *OfParent = nullptr;
  // Settings of the profile: what CUPTI itself may take.
  CounterId DeviceBytes = NotRegistered;
  CounterId HostBytes = NotRegistered;
};
constinit GpuState Gpu;

template <typename T, typename... Args> T *make(Args... Arguments) {
  void *Memory = mapMemory(sizeof(T));
  return Memory == nullptr ? nullptr : new (Memory) T(Arguments...);
}

void writeTo(loopscope_profile_header &Into) {
  Into.cupti_version = Gpu.Known.CuptiVersion;
  Into.gpu_start_ticks = Gpu.Known.StartTicks > Into.start_ticks
                             ? Gpu.Known.StartTicks
                             : Into.start_ticks;
  memcpy(Into.gpu_note, Gpu.Known.Note, sizeof(Into.gpu_note));
  memcpy(Into.gpu_library, Gpu.Known.Library, sizeof(Into.gpu_library));
  __atomic_store_n(&Into.gpu_state, uint32_t(Gpu.Known.State),
                   __ATOMIC_RELEASE);
}

void sayState() {
  TextBuffer<512> Line;
  Line << (Gpu.Known.State == LOOPSCOPE_GPU_MISSING
               ? "no GPU data: "
               : "GPU data is incomplete: ")
       << Gpu.Known.Note;
  warn(Line.c_str());
}

// Stores why there is no GPU data, or no more of it, and prints it.
void report(loopscope_gpu_state State, const char *Why, bool Now = true) {
  Gpu.Known.State = State;
  TextBuffer<sizeof(Gpu.Known.Note)> Note;
  Note << Why;
  if (GpuSettings.StepsByProfiler) {
    setStepGate(StepGate::None);
    Note << "; so gpu=profiler can't choose steps, and all count";
  }
  copyHead(Gpu.Known.Note, sizeof(Gpu.Known.Note), Note.c_str());
  if (Header != nullptr)
    writeTo(*Header);
  Gpu.SayAtExit = !Now;
  if (Now)
    sayState();
}

// Nanoseconds by the fixed map; CUPTI calls it on any thread.
uint64_t deviceTimestamp() { return Gpu.MapOfSession.toNs(now()); }

// Without a buffer, CUPTI before 12.9 ends the program, so it always gets one,
// also after the end: records in this one are lost. Several threads may write
// to it.
alignas(64) uint8_t Waste[BufferPool::SmallBytes];

void requestBuffer(uint8_t **Buffer, size_t *Size, size_t *MaxRecords) {
  GpuSession *S = __atomic_load_n(&Gpu.Begun, __ATOMIC_ACQUIRE);
  bool IsOver = __atomic_load_n(&Collecting, __ATOMIC_ACQUIRE) == nullptr;
  *MaxRecords = 0; // as many as fit
  *Buffer = S == nullptr ? nullptr : S->Buffers.take(*Size);
  if (*Buffer == nullptr) {
    *Buffer = Waste;
    *Size = sizeof(Waste);
    if (!IsOver)
      count(LOOPSCOPE_COUNT_GPU_BUFFERS_REFUSED);
  }
  if (S != nullptr && !IsOver && S->Buffers.isShort())
    wakeCollector();
}

void completeBuffer(void * /*Context*/, uint32_t /*Stream*/, uint8_t *Buffer,
                    size_t /*Size*/, size_t ValidSize) {
  // Also called after the end: the memory stays. A tool that collected before
  // us may get its own buffers back here.
  GpuSession *S = Gpu.Begun;
  if (S == nullptr || Buffer == nullptr ||
      !S->Buffers.complete(Buffer, ValidSize))
    return;
  if (__atomic_load_n(&Collecting, __ATOMIC_ACQUIRE) == nullptr)
    countUnread(*S);
}

void requestSharedBuffer(uint8_t **Buffer, size_t *Size, size_t *MaxRecords,
                         void * /*Call*/) {
  requestBuffer(Buffer, Size, MaxRecords);
}

void completeSharedBuffer(uint8_t *Buffer, size_t Size, size_t ValidSize,
                          void * /*Call*/) {
  completeBuffer(nullptr, 0, Buffer, Size, ValidSize);
}

constexpr BufferCallbacks Callbacks = {
    requestBuffer, completeBuffer, requestSharedBuffer, completeSharedBuffer};

constexpr uint32_t Kinds[] = {
    cupti::ConcurrentKernelKind, cupti::CopyKind,     cupti::SetKind,
    cupti::PeerCopyKind,         cupti::OverheadKind, cupti::DeviceKind,
    cupti::ContextKind,          cupti::MemoryKind,   cupti::GraphKind};

bool isWanted(uint32_t Kind) {
  return Kind != cupti::GraphKind || GpuSettings.WholeGraphs;
}

// Kernels must be available; other missing kinds are noted.
bool enableKinds(GpuSession &S, Reason &Why) {
  for (uint32_t Kind : Kinds) {
    if (!isWanted(Kind))
      continue;
    cupti::Result Code = S.Recording.enable(Kind);
    if (Code == cupti::Success || Kind == cupti::ContextKind)
      continue;
    if (Kind == cupti::ConcurrentKernelKind) {
      explain(S.Api, "cuptiActivityEnable", Code, "", Why);
      return false;
    }
    Reason Note;
    explain(S.Api, "cuptiActivityEnable", Code, "", Note);
    Note << "; records of kind " << int64_t(Kind) << " are missing";
    copyHead(Gpu.Known.Note, sizeof(Gpu.Known.Note), Note.c_str());
  }
  return true;
}

void disableKinds(const GpuSession &S) {
  for (uint32_t Kind : Kinds)
    if (isWanted(Kind))
      S.Recording.disable(Kind);
}

void undo(GpuSession &S) {
  disableKinds(S);
  S.Api.Unsubscribe(S.Subscription);
}

// The part that may run before the program's first CUDA call: starts neither
// CUDA nor a thread, so the process can still fork.
bool startSession(GpuSession &S, Reason &Why) {
  loopscope_profile_header Clock = {};
  describeClock(Clock);
  Gpu.MapOfSession =
      DeviceClock({Clock.start_ticks, Clock.start_ns}, calibratedHz(Clock));
  S.Clock = Gpu.MapOfSession;
  if (!S.Buffers.create() || !S.Calls.create() || !S.Graphs.create() ||
      !S.Names.create()) {
    Why << "no memory for it";
    return false;
  }
  return subscribe(S, Why);
}

// The part that runs inside the program's first CUDA call.
bool startRecords(GpuSession &S, Reason &Why) {
  __atomic_store_n(&Gpu.Begun, &S, __ATOMIC_RELEASE);
  RecordCalls::OwnMemory Own = S.Recording.limitOwnMemory();
  addToCounter(Gpu.DeviceBytes, Own.DeviceBytes);
  addToCounter(Gpu.HostBytes, Own.HostBytes);
  const char *Function = "cuptiActivityRegisterCallbacks";
  cupti::Result Code = S.Recording.registerBuffers(Callbacks);
  if (Code == cupti::Success) {
    Function = "cuptiActivityRegisterTimestampCallback";
    Code = S.Recording.registerClock(deviceTimestamp);
  }
  if (Code != cupti::Success)
    explain(S.Api, Function, Code, "", Why);
  if (Code == cupti::Success && enableKinds(S, Why))
    return true;
  undo(S);
  return false;
}

// The GPU's events get this fraction of the timeline's size.
constexpr uint64_t GpuShare = 4;
// Operations on memory are fewer, and smaller; some are kept in any case.
constexpr uint64_t MemoryShare = 32;
constexpr uint64_t LeastForMemory = 1U << 20;

EventRing *makeRing() {
  if (Process.Settings.Mode != LOOPSCOPE_MODE_TRACE)
    return nullptr;
  auto *Ring = make<EventRing>();
  uint64_t OfMemory = Process.Settings.EventBytes / MemoryShare;
  if (Ring != nullptr)
    Ring->create(Process.Settings.EventBytes / GpuShare,
                 OfMemory > LeastForMemory ? OfMemory : LeastForMemory);
  return Ring;
}

void endParentsSession() {
  if (GpuSession *Old =
          __atomic_exchange_n(&Gpu.OfParent, nullptr, __ATOMIC_ACQ_REL))
    endInherited(*Old);
}

// Whether collection has begun or can't begin; tries at most once per process.
bool tryToStart(uint64_t StartTicks) {
  if (!usesCuda() || __atomic_exchange_n(&Gpu.Tried, true, __ATOMIC_ACQ_REL))
    return false;
  int Saved = errno;
  endParentsSession();
  Reason Why;
  Cupti Api;
  GpuSession *S = nullptr;
  Search Found = loadCupti(Api, Why);
  if (Found == Search::NoDriver)
    Why.setNoDriver();
  if (Found == Search::Loaded) {
    Gpu.Known.CuptiVersion = Api.Version;
    memcpy(Gpu.Known.Library, Api.Path, sizeof(Gpu.Known.Library));
    S = make<GpuSession>(makeRing());
    if (S == nullptr)
      Why << "no memory for it";
    else
      S->Api = Api;
    if (S != nullptr)
      S->Cost = findSum(GpuExtension.CostKey);
  }
  if (S != nullptr && startSession(*S, Why)) {
    Gpu.Known.StartTicks = StartTicks;
    if (S->Ring != nullptr)
      reserveEventBytes(Process.Settings.EventBytes / GpuShare);
    if (GpuSettings.StepsByProfiler)
      setStepGate(StepGate::Closed);
    __atomic_store_n(&Collecting, S, __ATOMIC_RELEASE);
  } else {
    // A program may link CUDA and never use it.
    bool Now = !Why.NoDriver || GpuSettings.Collect == GpuChoice::On;
    report(LOOPSCOPE_GPU_MISSING, Why.c_str(), Now);
  }
  errno = Saved;
  return true;
}

bool mayStart() {
  return GpuSettings.Collect != GpuChoice::Off && !Gpu.InChild &&
         !__atomic_load_n(&Gpu.Tried, __ATOMIC_RELAXED);
}

// Whether other tools come first: then CUPTI isn't touched until the program
// has started CUDA.
bool givesWay() {
  const char *Injected = secure_getenv("CUDA_INJECTION64_PATH"); // NOLINT
  return GpuSettings.Collect == GpuChoice::Yield ||
         (GpuSettings.Collect == GpuChoice::Auto && Injected != nullptr &&
          *Injected != 0);
}
} // namespace

void loopscope::runtime::startGpu() {
  if (GpuSettings.CountersNs != 0)
    registerSampling();
  if (GpuSettings.CountersNs != 0 && GpuSettings.Collect == GpuChoice::Off)
    warn("gpu-counters samples nothing with gpu=off");
  if (GpuSettings.StepsByProfiler && GpuSettings.Collect == GpuChoice::Off)
    warn("gpu=profiler chooses no steps with gpu=off, and all count");
  if (Process.Settings.Mode == LOOPSCOPE_MODE_TRACE)
    registerCounter(LOOPSCOPE_COUNT_GPU_MEMORY_EVENTS_LOST);
  registerLossesOfCalls();
  Gpu.DeviceBytes = keepSetting(LOOPSCOPE_SETTING_CUPTI_DEVICE_BYTES, 0);
  Gpu.HostBytes = keepSetting(LOOPSCOPE_SETTING_CUPTI_HOST_BYTES, 0);
  if (mayStart() && !givesWay())
    tryToStart(0);
}

uint64_t loopscope::runtime::lookForCuda() {
  if (!mayStart())
    return 0;
  uint64_t Loaded = loadedObjects();
  bool IsNew =
      __atomic_exchange_n(&Gpu.Looked, Loaded, __ATOMIC_RELAXED) != Loaded;
  if (givesWay()) {
    if (IsNew)
      __atomic_store_n(&Gpu.HasDriver, hasLoadedDriver(), __ATOMIC_RELAXED);
    if (!__atomic_load_n(&Gpu.HasDriver, __ATOMIC_RELAXED) ||
        !hasStartedDriver())
      return 0;
  } else if (!IsNew) {
    return 0;
  }
  uint64_t Began = now();
  return tryToStart(Began) ? now() - Began : 0;
}

void loopscope::runtime::sayWhyNoGpu() {
  if (Gpu.SayAtExit)
    sayState();
}

void loopscope::runtime::noteIncomplete(const char *What) {
  TextBuffer<sizeof(Gpu.Known.Note)> Note;
  if (Gpu.Known.Note[0] != 0)
    Note << Gpu.Known.Note << "; ";
  Note << What;
  copyHead(Gpu.Known.Note, sizeof(Gpu.Known.Note), Note.c_str());
  writeTo(*Header);
  warn(What);
}

void loopscope::runtime::describeGpu(loopscope_profile_header &Into) {
  bool Asked =
      GpuSettings.Collect == GpuChoice::On ||
      (GpuSettings.StepsByProfiler && GpuSettings.Collect != GpuChoice::Off);
  if (Asked && !Gpu.Tried && !Gpu.InChild)
    report(LOOPSCOPE_GPU_MISSING,
           "the program isn't linked with CUDA and hasn't loaded it");
  writeTo(Into);
}

bool loopscope::runtime::beginCollecting(GpuSession &S) {
  if (*IsStarting)
    return false;
  uint32_t Expected = 0;
  if (!__atomic_compare_exchange_n(&S.Running, &Expected, 1U, false,
                                   __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    // Another thread is starting it; an unrecorded call would be lost.
    while (__atomic_load_n(&S.Running, __ATOMIC_ACQUIRE) == 1)
      sched_yield();
    return __atomic_load_n(&S.Running, __ATOMIC_ACQUIRE) == 2;
  }
  *IsStarting = true;
  int Saved = errno;
  SlowPath Path;
  bool Good = false;
  if (Path) {
    Reason Why;
    if (!ensureProfile()) {
      Why << "there was no memory to collect it";
    } else if (startRecords(S, Why)) {
      Good = startCollectorThread(S);
      if (!Good) {
        Why << "no thread could be started to collect it";
        undo(S);
      }
    }
    if (Good) {
      Gpu.Known.State = LOOPSCOPE_GPU_ON;
      writeTo(*Header);
    } else {
      __atomic_store_n(&Collecting, nullptr, __ATOMIC_RELEASE);
      report(LOOPSCOPE_GPU_MISSING, Why.c_str());
    }
  }
  errno = Saved;
  *IsStarting = false;
  __atomic_store_n(&S.Running, Good ? 2U : 0U, __ATOMIC_RELEASE);
  return Good;
}

void loopscope::runtime::countUnread(GpuSession &S) {
  uint8_t *Buffer = nullptr;
  size_t Valid = 0;
  while (S.Buffers.nextCompleted(Buffer, Valid)) {
    if (Valid != 0 && Gpu.Known.State == LOOPSCOPE_GPU_STOPPED)
      count(LOOPSCOPE_COUNT_GPU_BUFFERS_UNREAD);
    S.Buffers.free(Buffer);
  }
}

bool loopscope::runtime::finishAtExit() { return atexit(finishGpu) == 0; }

void loopscope::runtime::stopCollecting(const char *Why) {
  if (__atomic_exchange_n(&Collecting, nullptr, __ATOMIC_ACQ_REL) == nullptr)
    return;
  if (Header != nullptr)
    Header->gpu_end_ticks = now();
  report(LOOPSCOPE_GPU_STOPPED, Why);
}

// Collection ended when the first kernel without a record was launched.
static void endWhereMissing(const GpuSession &S) {
  Reason Why;
  auto Kernels = static_cast<int64_t>(S.MissingKernels);
  const char *Noun = Kernels == 1 ? " kernel" : " kernels";
  if (S.HasKeptBuffers)
    Why << "another tool took over CUPTI's buffers; at least " << Kernels
        << Noun << " launched from then on have no record";
  else
    Why << "CUPTI gave no record of at least " << Kernels << Noun
        << " launched from then on; another tool may have taken over its "
           "buffers or turned its records off";
  stopCollecting(Why.c_str());
  Header->gpu_end_ticks = S.MissingSince;
}

void loopscope::runtime::finishGpu() {
  GpuSession *S = __atomic_load_n(&Collecting, __ATOMIC_ACQUIRE);
  if (S == nullptr || Header == nullptr)
    return;
  if (GpuSettings.StepsByProfiler &&
      !__atomic_load_n(&S->HadWindow, __ATOMIC_RELAXED))
    warn("gpu=profiler: the program never called cudaProfilerStart(), so no "
         "step of its loops counts");
  if (!finishCollector()) {
    stopCollecting("the driver didn't give the last records in time");
    return;
  }
  if (S->MissingKernels != 0) {
    endWhereMissing(*S);
    return;
  }
  __atomic_store_n(&Collecting, nullptr, __ATOMIC_RELEASE);
  // What still runs needs no records.
  disableKinds(*S);
  if (Gpu.Known.State == LOOPSCOPE_GPU_ON)
    Header->gpu_end_ticks = now();
}

void loopscope::runtime::resetGpuAfterFork() {
  GpuSession *S = Collecting;
  bool MayRenew = S != nullptr && S->Running == 0 && mayEndInherited(*S);
  if (MayRenew) {
    Gpu.OfParent = S;
    Gpu.Tried = false;
    Gpu.Looked = 0;
  }
  Gpu.InChild = Gpu.InChild || (S != nullptr && !MayRenew);
  Collecting = nullptr;
  setStepGate(StepGate::None);
  Gpu.Begun = nullptr;
  Gpu.SayAtExit = false;
  Gpu.Known = {};
}

void loopscope::runtime::noteCallInChild() {
  // A child's first call of CUDA came before we looked.
  if (Gpu.OfParent != nullptr)
    Gpu.InChild = true;
  if (!Gpu.InChild ||
      __atomic_exchange_n(&Gpu.SaidInChild, true, __ATOMIC_RELAXED))
    return;
  SlowPath Path;
  report(LOOPSCOPE_GPU_MISSING,
         "this process was forked from one with GPU collection, which CUPTI "
         "doesn't follow; start it with exec instead");
}
