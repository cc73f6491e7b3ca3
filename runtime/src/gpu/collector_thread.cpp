// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that empties CUPTI's buffers and adds up the records.

#include "base/clock.h"
#include "base/deferral.h"
#include "base/kernel_time.h"
#include "base/own_threads.h"
#include "extension.h"
#include "float_state.h"
#include "profile/counts.h"
#include "profile/lost_file.h"
#include "profile/profile_file.h"
#include "records.h"
#include "session_state.h"

#include <loopscope/profile_counters.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

using namespace loopscope::runtime;

namespace {
constexpr int64_t PeriodMs = 250;
// The first rounds come sooner, for short programs, and so that CUPTI's
// start-up work is over before the program ends.
constexpr int64_t FirstPeriodMs = 15;
// A hanging driver must not keep the program from ending.
constexpr int64_t FinishMs = 5000;
// CUPTI converts the device's clock, so work may seem to end slightly in the
// future, or to begin slightly before its launch.
constexpr uint64_t SlackNs = 10000000;
constexpr size_t StackBytes = size_t(1) << 20;
// PM sampling runs the code of one more large library.
constexpr size_t SamplingStackBytes = size_t(8) << 20;

struct ThreadState {
  pthread_mutex_t Mutex;
  pthread_cond_t Changed;
  bool Started;
  bool LookNow;
  bool FinishWanted;
  bool Finished;
};
ThreadState State;

void addMilliseconds(timespec &Time, int64_t Ms) {
  int64_t Ns = Time.tv_nsec + Ms * int64_t(NsPerMs);
  Time.tv_sec += Ns / int64_t(NsPerSecond);
  Time.tv_nsec = Ns % int64_t(NsPerSecond);
}

timespec deadline(int64_t Ms) {
  timespec Time{};
  clock_gettime(CLOCK_MONOTONIC, &Time);
  addMilliseconds(Time, Ms);
  return Time;
}

void addRecord(GpuSession &S, const cupti::Record &Record) {
  if (Record.Kind == cupti::DeviceKind) {
    S.Adding.addDevice(
        readDevice(reinterpret_cast<const cupti::DeviceRecord &>(Record)));
    return;
  }
  if (Record.Kind == cupti::OverheadKind) {
    const auto &R = reinterpret_cast<const cupti::OverheadRecord &>(Record);
    S.Adding.addOverhead(overheadSum(R.Cause), S.Clock.toTicks(R.Start),
                         S.Clock.toTicks(R.End));
    if (cudaMajorOf(S.Api.Version) >= 13 && R.Cause == cupti::CommandBufferFull)
      free(R.Data); // CUPTI leaves it to us
    return;
  }
  uint64_t Latest = now() + S.Clock.durationTicks(SlackNs);
  if (Record.Kind == cupti::MemoryKind) {
    MemoryOperation Operation;
    if (readMemory(reinterpret_cast<const cupti::MemoryRecord &>(Record),
                   S.Clock, Operation))
      S.Adding.addMemory(Operation, Latest);
    return;
  }
  DeviceWork Work;
  if (readWork(Record, S.Clock, Work))
    S.Adding.addWork(Work, Latest);
}

// Reads a buffer's records. False: CUPTI can't read on before the end. The rest
// is lost, because only CUPTI knows the length of a record.
bool addRecords(GpuSession &S, uint8_t *Buffer, size_t Valid) {
  cupti::Record *Record = nullptr;
  for (;;) {
    cupti::Result Code = S.Recording.next(Buffer, Valid, &Record);
    if (Code != cupti::Success)
      return Code == cupti::MaxLimitReached;
    addRecord(S, *Record);
  }
}

void emptyBuffers(GpuSession &S) {
  uint8_t *Buffer = nullptr;
  size_t Valid = 0;
  while (S.Buffers.nextCompleted(Buffer, Valid)) {
    if (Valid != 0 && !addRecords(S, Buffer, Valid))
      count(LOOPSCOPE_COUNT_GPU_UNREADABLE);
    S.Buffers.free(Buffer);
  }
  size_t Dropped = 0;
  if (S.Recording.takeDropped(&Dropped) == cupti::Success && Dropped != 0)
    __atomic_fetch_add(&Header->counters[LOOPSCOPE_COUNT_GPU_DROPPED], Dropped,
                       __ATOMIC_RELAXED);
}

// Call it after reading the buffers: no wait that is still unknown may have
// ended before the counted work.
void takeWaits(GpuSession &S) {
  WaitEvent Event{};
  bool WereLost = S.Waits.takeLost();
  while (S.Waits.pop(Event)) {
    if (Event.End == 0)
      S.Adding.waits().begin(Event.Tag, Event.Node, Event.Start);
    else
      S.Adding.waits().end(Event.Tag, Event.Node, Event.Start, Event.End);
  }
  if (WereLost)
    S.Adding.waits().forgetOpen();
  ContextEndings::Ending Ending{};
  while (S.Endings.pop(Ending))
    S.Adding.endContext(Ending.Context, Ending.Ticks);
}

void takeUses(GpuSession &S) {
  DeviceUse Read;
  while (S.Uses.pop(Read)) {
    S.IsUseRead = true;
    S.Sampling.noteClock(Read);
    S.Adding.addUse(Read, S.Clock.durationTicks(DeviceUseAgeMs * NsPerMs));
  }
}

// Whether the program has used devices recently. If not, flushes don't disturb
// it.
class Activity {
public:
  bool isLive() {
    uint64_t Now = __atomic_load_n(&Header->gpu_launches, __ATOMIC_RELAXED) +
                   __atomic_load_n(&Header->gpu_records, __ATOMIC_RELAXED);
    Quiet = Now == Before ? Quiet + 1 : 0;
    Before = Now;
    return Quiet < LongestQuiet;
  }

private:
  static constexpr unsigned LongestQuiet = 40; // periods
  uint64_t Before = 0;
  unsigned Quiet = 0;
};

// CUPTI may have stopped on its own; then it must not be called.
bool hasStopped() {
  return __atomic_load_n(&Collecting, __ATOMIC_ACQUIRE) == nullptr;
}

// Whether records are known and counted as lost.
bool hasLostRecords() {
  static constexpr uint32_t Losses[] = {
      LOOPSCOPE_COUNT_GPU_DROPPED, LOOPSCOPE_COUNT_GPU_BUFFERS_REFUSED,
      LOOPSCOPE_COUNT_GPU_UNREADABLE, LOOPSCOPE_COUNT_GPU_UNRESOLVED};
  for (uint32_t Each : Losses)
    if (__atomic_load_n(&Header->counters[Each], __ATOMIC_RELAXED) != 0)
      return true;
  return false;
}

// After a forced flush that began at FLUSHED, CUPTI holds no more of our
// records. Missing ones went to another tool, which replaced our buffer
// callbacks; CUPTI doesn't report that.
void lookForMissing(GpuSession &S, uint64_t Flushed) {
  uint64_t Oldest = S.Buffers.oldestTaken();
  S.Adding.frontier(Flushed, Oldest);
  if (hasLostRecords())
    return;
  S.MissingKernels = S.Adding.missingKernels(Flushed, S.MissingSince);
  S.HasKeptBuffers = Oldest < Flushed;
}

void look(GpuSession &S, bool Last, Activity &Device) {
  uint64_t Flushed = now();
  bool HasFlushed =
      !hasStopped() && (Device.isLive() || Last) &&
      S.Recording.flush(Last ? cupti::FlushForced : 0) == cupti::Success;
  uint64_t Now = now();
  if (hasStopped())
    countUnread(S);
  else
    emptyBuffers(S);
  takeWaits(S);
  takeUses(S);
  if (GpuSettings.CountersNs != 0 && !hasStopped())
    S.Sampling.look(S.Api, S.Clock, S.Adding, Last);
  if (Last) {
    if (HasFlushed && !hasStopped())
      lookForMissing(S, Flushed);
    S.Adding.settle(UINT64_MAX, UINT64_MAX);
    return;
  }
  uint64_t Buffer = S.Buffers.oldestTaken();
  uint64_t Works = S.Adding.frontier(Now, Buffer);
  // A reading still to come is about time before it.
  uint64_t Age = S.Clock.durationTicks(DeviceUseAgeMs * NsPerMs);
  if (S.IsUseRead && Works > Now - Age)
    Works = Now - Age;
  uint64_t Sampled = S.Sampling.passedUntil(S.Clock, Now);
  if (Works > Sampled)
    Works = Sampled;
  // CUPTI records memory operations immediately, in the buffer of that moment.
  uint64_t Operations = Works < Buffer ? Works : Buffer;
  uint64_t Slack = S.Clock.durationTicks(SlackNs);
  S.Adding.settle(Works > Slack ? Works - Slack : 0,
                  Operations > Slack ? Operations - Slack : 0);
}

// Waits for the next period or a request; returns whether this is the last
// round.
bool waitForWork(int64_t PeriodMs) {
  pthread_mutex_lock(&State.Mutex);
  timespec Until = deadline(PeriodMs);
  while (!State.LookNow && !State.FinishWanted &&
         pthread_cond_timedwait(&State.Changed, &State.Mutex, &Until) !=
             ETIMEDOUT) {
  }
  State.LookNow = false;
  bool Last = State.FinishWanted;
  pthread_mutex_unlock(&State.Mutex);
  return Last;
}

void *collect(void *Data) {
  auto &S = *static_cast<GpuSession *>(Data);
  noteOwnThread();
  neverInterrupted();
  prctl(PR_SET_NAME, "loopscope-gpu");
  resetFloats(); // the creator's traps are inherited
  setBusErrorMask();
  Activity Device;
  int64_t Period = FirstPeriodMs;
  uint64_t Before = 0;
  for (bool Last = false; !Last;) {
    Last = waitForWork(Period) || hasStopped();
    look(S, Last, Device);
    // After the first flush, and after the first records.
    if (Period == FirstPeriodMs || (Before == 0 && Header->gpu_records != 0))
      finishAtExit();
    Before = Header->gpu_records;
    Period = Period * 2 < PeriodMs ? Period * 2 : PeriodMs;
  }
  pthread_mutex_lock(&State.Mutex);
  State.Finished = true;
  pthread_cond_broadcast(&State.Changed);
  pthread_mutex_unlock(&State.Mutex);
  return nullptr;
}
} // namespace

bool loopscope::runtime::startCollectorThread(GpuSession &S) {
  pthread_condattr_t Clock;
  pthread_attr_t Attributes;
  if (pthread_condattr_init(&Clock) != 0 || pthread_attr_init(&Attributes) != 0)
    return false;
  pthread_condattr_setclock(&Clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&State.Mutex, nullptr);
  pthread_cond_init(&State.Changed, &Clock);
  pthread_attr_setstacksize(&Attributes, GpuSettings.CountersNs != 0
                                             ? SamplingStackBytes
                                             : StackBytes);
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  // The program's signals are for its own threads.
  sigset_t All;
  sigset_t Saved;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Saved);
  pthread_t Thread{};
  State.Started = pthread_create(&Thread, &Attributes, collect, &S) == 0;
  pthread_sigmask(SIG_SETMASK, &Saved, nullptr);
  pthread_attr_destroy(&Attributes);
  pthread_condattr_destroy(&Clock);
  return State.Started;
}

void loopscope::runtime::wakeCollector() {
  if (!State.Started || pthread_mutex_trylock(&State.Mutex) != 0)
    return;
  State.LookNow = true;
  pthread_cond_signal(&State.Changed);
  pthread_mutex_unlock(&State.Mutex);
}

bool loopscope::runtime::finishCollector() {
  if (!State.Started)
    return true;
  timespec Until = deadline(FinishMs);
  pthread_mutex_lock(&State.Mutex);
  State.FinishWanted = true;
  pthread_cond_broadcast(&State.Changed);
  while (!State.Finished && pthread_cond_timedwait(&State.Changed, &State.Mutex,
                                                   &Until) != ETIMEDOUT) {
  }
  bool Done = State.Finished;
  pthread_mutex_unlock(&State.Mutex);
  return Done;
}
