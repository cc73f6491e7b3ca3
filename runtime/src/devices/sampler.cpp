// The sampler's thread and its rounds.
#include "sampler.h"

#include "core/clock.h"
#include "core/loaded.h"
#include "core/process.h"
#include "core/profile_file.h"
#include "core/system.h"
#include "core/threads.h"
#include "gpu/session.h"
#include "host.h"
#include "metrics.h"
#include "nvml.h"
#include "timeline/events.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t NsPerMs = 1000000;
constexpr uint64_t NsPerSecond = 1000000000;
constexpr uint64_t StopWaitNs = 100 * NsPerMs;

// The thread's state, and the word that it and those who stop it sleep on.
// Called: it has been woken for the timeline's ring and sleeps again
// afterwards.
enum State : uint32_t { Absent, Sleeping, Called, InRound, Stopping, Stopped };
uint32_t ThreadState = Absent;

// The default interval keeps to a tenth of a percent of a core, whatever a
// reading costs here: after one that took a nanosecond of processor time, the
// same source is left alone for this many.
constexpr uint64_t RestOfHostSource = 8000;
constexpr uint64_t RestOfGpus = 2000; // times the number of GPUs

const MetricInfo HostMetrics[HostMetricCount] = {
    {"cpu_percent", LOOPSCOPE_UNIT_PERCENT},
    {"cpu_vm_percent", LOOPSCOPE_UNIT_PERCENT},
    {"cpu_swap_percent", LOOPSCOPE_UNIT_PERCENT},
    {"process_cpu_percent", LOOPSCOPE_UNIT_PERCENT},
    {"process_rss", LOOPSCOPE_UNIT_BYTES},
    {"process_threads", LOOPSCOPE_UNIT_COUNT}};
const MetricInfo GpuMetrics[GpuMetricCount] = {
    {"utilization.gpu", LOOPSCOPE_UNIT_PERCENT},
    {"utilization.memory", LOOPSCOPE_UNIT_PERCENT},
    {"memory.used", LOOPSCOPE_UNIT_BYTES},
    {"memory.total", LOOPSCOPE_UNIT_BYTES},
    {"power.draw", LOOPSCOPE_UNIT_WATTS},
    {"temperature.gpu", LOOPSCOPE_UNIT_CELSIUS},
    {"clocks.sm", LOOPSCOPE_UNIT_HERTZ},
    {"clocks.mem", LOOPSCOPE_UNIT_HERTZ}};

constexpr int MostMetrics = GpuMetricCount;
static_assert(int(HostMetricCount) <= MostMetrics);
constexpr uint32_t NotAdded = LOOPSCOPE_NONE;

// The profile's indices of the metrics of one device, NotAdded before a
// metric's first value.
struct Indices {
  uint32_t Of[MostMetrics];
};

// What belongs to one profile's sampling. Used by the thread alone.
struct Sampling {
  HostReader Host;
  NvmlReader Gpus;
  Indices HostIndices;
  Indices GpuIndices[MaxGpus];
  uint64_t HostDueNs[3];
  uint64_t GpuDueNs[MaxGpus];
  uint32_t Node;       // that the round is charged to
  uint64_t RingCostNs; // processor time in makeEventChunk()
  bool OutOfMemory;
};
Sampling Work;

uint64_t threadCpuNs() {
  timespec Time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Time);
  return static_cast<uint64_t>(Time.tv_sec) * NsPerSecond +
         static_cast<uint64_t>(Time.tv_nsec);
}

// Sleeps until STATE isn't EXPECTED any more or CLOCK_MONOTONIC has come to
// UNTIL_NS; may wake up earlier.
void sleepOn(uint32_t Expected, uint64_t UntilNs) {
  timespec Until{static_cast<time_t>(UntilNs / NsPerSecond),
                 static_cast<long>(UntilNs % NsPerSecond)};
  syscall(SYS_futex, &ThreadState, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG,
          Expected, &Until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

void wakeAll() {
  syscall(SYS_futex, &ThreadState, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT32_MAX,
          nullptr, nullptr, 0);
}

bool change(uint32_t From, uint32_t To) {
  return __atomic_compare_exchange_n(&ThreadState, &From, To, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// Puts what is known of one device into the profile.
void store(const MetricInfo *Infos, const Reading *Readings, int Count,
           Indices &Known, uint32_t Device, const char *DeviceName) {
  for (int I = 0; I < Count; ++I) {
    if (!Readings[I].Known)
      continue;
    if (Known.Of[I] == NotAdded)
      Known.Of[I] = addMetric(Infos[I], Device, DeviceName);
    if (Known.Of[I] == NotAdded ||
        !addSample(Known.Of[I], Work.Node, Readings[I].Value))
      Work.OutOfMemory = true;
  }
}

// Calls READ when its source is due at NS, and decides when that is again.
template <typename Function>
void readIfDue(uint64_t &DueNs, uint64_t Ns, uint64_t Rest, Function Read) {
  if (Ns < DueNs)
    return;
  uint64_t Before = threadCpuNs();
  Read();
  if (!Settings.DevicesGiven)
    DueNs = Ns + (threadCpuNs() - Before) * Rest;
}

void noteInProfile(const char *What) {
  SlowLock Lock;
  Text Note(Header->sampler_note, sizeof(Header->sampler_note));
  Note << What;
}

void readHost(uint64_t Ns) {
  Reading Readings[HostMetricCount];
  readIfDue(Work.HostDueNs[0], Ns, RestOfHostSource,
            [&] { Work.Host.readProcess(Readings); });
  readIfDue(Work.HostDueNs[1], Ns, RestOfHostSource,
            [&] { Work.Host.readProcessors(Readings); });
  readIfDue(Work.HostDueNs[2], Ns, RestOfHostSource,
            [&] { Work.Host.readMemory(Readings); });
  store(HostMetrics, Readings, HostMetricCount, Work.HostIndices,
        LOOPSCOPE_NONE, "");
}

void readGpus(uint64_t Ns) {
  TextBuffer<sizeof(loopscope_profile_header::sampler_note)> Note;
  Work.Gpus.find(Note);
  uint32_t Count = Work.Gpus.count();
  for (uint32_t I = 0; I < Count; ++I)
    readIfDue(Work.GpuDueNs[I], Ns, RestOfGpus * Count, [&] {
      Reading Readings[GpuMetricCount];
      Work.Gpus.read(I, Readings, Note);
      store(GpuMetrics, Readings, GpuMetricCount, Work.GpuIndices[I],
            Work.Gpus.ordinal(I), Work.Gpus.name(I));
    });
  if (Note.size() != 0)
    noteInProfile(Note.c_str());
}

// One look at everything. False: there shall be no more.
bool look() {
  uint64_t Ns = monotonicNs();
  Work.Node = mainThreadNode();
  readHost(Ns);
  // A program whose main thread has left with pthread_exit ends with its last
  // thread, and that must not be this one. Where the main thread has a tree,
  // its end is noticed at once (endThread).
  if (Work.Host.mainThreadEnded() ||
      (!Work.Host.hasProc() && Work.Node == LOOPSCOPE_NONE))
    return false;
  lookForCuda();
  readGpus(Ns);
  if (Work.OutOfMemory)
    noteInProfile("no memory for more metrics");
  // The process's clock is the thread's own, from its start.
  __atomic_store_n(&Header->sampler_cost_ns, threadCpuNs() - Work.RingCostNs,
                   __ATOMIC_RELAXED);
  __atomic_store_n(&Header->sampler_rounds, Header->sampler_rounds + 1,
                   __ATOMIC_RELAXED);
  return !Work.OutOfMemory;
}

// Says that the thread has let go of everything; gives what run() returns.
void *stopped() {
  __atomic_store_n(&ThreadState, uint32_t(Stopped), __ATOMIC_RELEASE);
  wakeAll();
  return nullptr;
}

void makeRoomAhead() {
  uint64_t Before = threadCpuNs();
  while (makeEventChunk() &&
         __atomic_load_n(&ThreadState, __ATOMIC_ACQUIRE) == Called)
    ;
  Work.RingCostNs += threadCpuNs() - Before;
}

void *run(void * /*Unused*/) {
  prctl(PR_SET_NAME, "loopscope");
  uint64_t Interval = Settings.DevicesMs * NsPerMs;
  prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(Interval / 100));
  // What the first round is compared with.
  Reading First[HostMetricCount];
  Work.Host.readProcess(First);
  Work.Host.readProcessors(First);
  uint64_t Due = monotonicNs() + Interval;
  for (;;) {
    sleepOn(Sleeping, Due);
    uint32_t State = __atomic_load_n(&ThreadState, __ATOMIC_ACQUIRE);
    if (State == Called) {
      makeRoomAhead();
      if (!change(Called, Sleeping))
        return stopped();
      continue;
    }
    if (monotonicNs() < Due && State == Sleeping)
      continue;
    if (!change(Sleeping, InRound)) {
      // Called just now, or told to stop.
      if (__atomic_load_n(&ThreadState, __ATOMIC_ACQUIRE) == Called)
        continue;
      return nullptr;
    }
    bool GoOn = look();
    if (!GoOn || !change(InRound, Sleeping))
      return stopped();
    // After a pause (a stopped process, a suspended machine) the rounds that
    // were missed are not made up for.
    Due += Interval;
    if (uint64_t Ns = monotonicNs(); Due < Ns)
      Due = Ns + Interval;
  }
}

// The function by which the program fails where there is a second thread, or
// null.
const char *functionForOneThread() {
  static constexpr const char *Functions[] = {"unshare", "setns"};
  for (const char *Each : Functions)
    if (isImported(Each))
      return Each;
  return nullptr;
}

// Gives 0 or an error number.
int createThread() {
  // A program with much thread-local storage needs more: it lies in the stack.
  // NVML and CUPTI are started here too.
  constexpr size_t StackSizes[] = {1U << 20, 4U << 20, 16U << 20};
  sigset_t All;
  sigset_t Saved;
  sigfillset(&All);
  pthread_attr_t Attributes;
  if (int Error = pthread_attr_init(&Attributes); Error != 0)
    return Error;
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  // Not with the priority that a real-time program may have.
  pthread_attr_setinheritsched(&Attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_sigmask(SIG_SETMASK, &All, &Saved);
  int Error = EINVAL;
  for (size_t Size : StackSizes)
    if (Error == EINVAL) {
      pthread_t Thread;
      pthread_attr_setstacksize(&Attributes, Size);
      Error = pthread_create(&Thread, &Attributes, run, nullptr);
    }
  pthread_sigmask(SIG_SETMASK, &Saved, nullptr);
  pthread_attr_destroy(&Attributes);
  return Error;
}
} // namespace

void loopscope::runtime::startSampler() {
  if (Settings.DevicesMs == 0 || !change(Absent, Sleeping))
    return;
  const char *Against =
      Settings.DevicesGiven ? nullptr : functionForOneThread();
  if (Against != nullptr) {
    __atomic_store_n(&ThreadState, uint32_t(Stopped), __ATOMIC_RELEASE);
    TextBuffer<sizeof(loopscope_profile_header::sampler_note)> Note;
    Note << "the program uses " << Against
         << ", which wants no second thread; devices=250 gives it one";
    noteInProfile(Note.c_str());
    return;
  }
  int Saved = errno;
  Work = {};
  memset(&Work.HostIndices, 0xff, sizeof(Work.HostIndices));
  memset(&Work.GpuIndices, 0xff, sizeof(Work.GpuIndices));
  int Error = createThread();
  if (Error == 0) {
    Header->sampler_ms = static_cast<uint32_t>(Settings.DevicesMs);
  } else {
    __atomic_store_n(&ThreadState, uint32_t(Stopped), __ATOMIC_RELEASE);
    TextBuffer<sizeof(loopscope_profile_header::sampler_note)> Note;
    Note << "the sampler's thread could not be started: "
         << strerrordesc_np(Error);
    noteInProfile(Note.c_str());
  }
  errno = Saved;
}

void loopscope::runtime::callSampler() {
  if (change(Sleeping, Called))
    wakeAll();
}

void loopscope::runtime::tellSamplerToStop() {
  for (;;) {
    if (change(Sleeping, Stopped)) {
      wakeAll();
      return;
    }
    uint32_t State = __atomic_load_n(&ThreadState, __ATOMIC_ACQUIRE);
    bool IsBusy = State == InRound || State == Called;
    if ((IsBusy && change(State, Stopping)) || (State != Sleeping && !IsBusy))
      return;
  }
}

void loopscope::runtime::stopSampler() {
  int Saved = errno;
  tellSamplerToStop();
  uint64_t Until = monotonicNs() + StopWaitNs;
  while (__atomic_load_n(&ThreadState, __ATOMIC_ACQUIRE) == Stopping &&
         monotonicNs() < Until)
    sleepOn(Stopping, Until);
  errno = Saved;
}

void loopscope::runtime::abandonSampler() {
  // Locks of NVML that the thread held are held for ever in the child.
  forbidNvmlIfBusy();
  ThreadState = Absent;
  abandonMetrics();
}
