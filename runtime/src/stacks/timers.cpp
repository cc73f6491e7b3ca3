// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timers by the kernel's own calls: libc's would start a thread for some, and
// it names no clock of a thread that isn't the caller's.

#include "timers.h"

#include "code.h"
#include "table.h"
#include "walk.h"

#include "core/clock.h"
#include "core/profile_file.h"
#include "core/sums.h"
#include "core/system.h"
#include "core/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

uint32_t loopscope::runtime::StacksHz;

namespace {
constexpr uint32_t MostThreads = 4096;
constexpr int Candidates[] = {SIGURG, SIGWINCH};

// The kernel's, as libc doesn't name all of it.
struct TimerEvent {
  sigval Value;
  int Signal;
  int Notify;
  int Thread;
  char Rest[64 - sizeof(sigval) - 3 * sizeof(int)];
};
static_assert(sizeof(TimerEvent) == 64);
constexpr int NotifyThread = 4; // SIGEV_THREAD_ID

struct Sampled {
  int Tid; // 0: a free place
  int Timer;
  uint32_t Round; // of updateThreads() in which it was there
};

struct TimersState {
  CounterId Threads, Refused, SignalTaken, CpuNs;
  bool IsOn;
  bool IsBusy;
  bool HasRefused;
  int Signal;
  uint32_t Round;
  uint32_t Count; // places that have been used
  uint64_t StartCpuNs;
  uint64_t CountedCpuNs;
  Sampled All[MostThreads];
};
TimersState State;

// Whose turn it is to change All; who finds it taken leaves.
class Turn {
public:
  Turn()
      : IsOurs(!__atomic_exchange_n(&State.IsBusy, true, __ATOMIC_ACQUIRE)) {}
  ~Turn() {
    if (IsOurs)
      __atomic_store_n(&State.IsBusy, false, __ATOMIC_RELEASE);
  }
  explicit operator bool() const { return IsOurs; }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

private:
  bool IsOurs;
};

bool isOn() { return __atomic_load_n(&State.IsOn, __ATOMIC_ACQUIRE); }

// Where the calling thread is in the tree. It may be anywhere in a hook.
void findPlace(StackSample &Into) {
  Thread *T = ThisThread.Tree;
  Node *N = T == nullptr ? nullptr : links(T).Current;
  Into.thread = T == nullptr ? LOOPSCOPE_NONE : T->index;
  if (N != nullptr && (links(N).Parent != nullptr || T->is_main != 0)) {
    Into.node = N->index;
    return;
  }
  Into.node = mainThreadNode();
  Into.flags = LOOPSCOPE_STACK_FOREIGN;
}

void takeSample(int /*Signal*/, siginfo_t *Info, void *Context) {
  if (Info->si_code != SI_TIMER || Info->si_value.sival_ptr != &State ||
      !isOn() || __atomic_load_n(&Header, __ATOMIC_ACQUIRE) == nullptr)
    return;
  int Saved = errno;
  StackSample Sample = {};
  findPlace(Sample);
  Sample.loading = codeLoading();
  Sample.depth = static_cast<uint16_t>(
      walkStack(Context, Sample.frame, LOOPSCOPE_STACK_FRAMES));
  if (Sample.depth != 0)
    addStackSample(Sample);
  errno = Saved;
}

int ownTid() { return static_cast<int>(syscall(SYS_gettid)); }

// The clock of a thread's processor time, as the kernel numbers them.
clockid_t clockOf(int Tid) {
  constexpr uint32_t PerThread = 4, Scheduled = 2;
  return static_cast<clockid_t>(~static_cast<uint32_t>(Tid) << 3 | PerThread |
                                Scheduled);
}

uint64_t processCpuNs() {
  timespec Time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Time);
  return static_cast<uint64_t>(Time.tv_sec) * NsPerSecond +
         static_cast<uint64_t>(Time.tv_nsec);
}

void refuse(int Error) {
  if (State.HasRefused)
    return;
  State.HasRefused = true;
  addToCounter(State.Refused, 1);
  TextBuffer<256> Message;
  Message << "LOOPSCOPE=stacks: the kernel refuses timers on threads' "
             "processor time ("
          << reasonOf(Error) << "); some or all threads have no samples";
  warn(Message.c_str());
}

timespec timespecOf(uint64_t Ns) {
  return {static_cast<time_t>(Ns / NsPerSecond),
          static_cast<long>(Ns % NsPerSecond)};
}

// The kernel looks at such timers at its ticks alone, and one that is due a
// moment after a tick waits for the next: half of the samples would be missed,
// and not by the same part in every thread. Due half a tick earlier, it comes
// at the tick that is meant.
uint64_t intervalNs() {
  uint64_t Wanted = NsPerSecond / StacksHz;
  timespec Resolution{};
  if (syscall(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &Resolution) != 0)
    return Wanted;
  auto HalfTick = static_cast<uint64_t>(Resolution.tv_nsec) / 2;
  return Wanted > 2 * HalfTick ? Wanted - HalfTick : HalfTick;
}

// Gives the timer's number, -1 where there is none.
int startTimer(int Tid) {
  TimerEvent Event = {};
  Event.Value.sival_ptr = &State;
  Event.Signal = State.Signal;
  Event.Notify = NotifyThread;
  Event.Thread = Tid;
  int Timer = -1;
  if (syscall(SYS_timer_create, clockOf(Tid), &Event, &Timer) != 0) {
    if (errno != EINVAL && errno != ESRCH) // the thread has just ended
      refuse(errno);
    return -1;
  }
  timespec Period = timespecOf(intervalNs());
  struct {
    timespec Interval, First;
  } Times = {Period, Period};
  if (syscall(SYS_timer_settime, Timer, 0, &Times, nullptr) != 0) {
    refuse(errno);
    syscall(SYS_timer_delete, Timer);
    return -1;
  }
  return Timer;
}

Sampled *findThread(int Tid) {
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.All[I].Tid == Tid)
      return &State.All[I];
  return nullptr;
}

void addThread(int Tid) {
  Sampled *Place = findThread(0);
  if (Place == nullptr && State.Count == MostThreads) {
    addToCounter(State.Threads, 1);
    return;
  }
  int Timer = startTimer(Tid);
  if (Timer < 0)
    return;
  if (Place == nullptr)
    Place = &State.All[State.Count++];
  *Place = {Tid, Timer, State.Round};
}

void remove(Sampled &Place) {
  syscall(SYS_timer_delete, Place.Timer);
  Place = {};
}

// Calls VISIT with the number of each thread of the process; false where they
// can't be read.
template <typename Function> bool forEachThread(Function Visit) {
  int File = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (File < 0)
    return false;
  struct Entry { // linux_dirent64
    uint64_t Inode;
    int64_t Offset;
    uint16_t Bytes;
    uint8_t Kind;
    char Name[1];
  };
  alignas(Entry) char Buffer[2048];
  bool IsWhole = true;
  for (;;) {
    long Bytes = syscall(SYS_getdents64, File, Buffer, sizeof(Buffer));
    IsWhole = Bytes >= 0;
    if (Bytes <= 0)
      break;
    for (long At = 0; At < Bytes;) {
      const auto *Each = reinterpret_cast<const Entry *>(Buffer + At);
      int64_t Tid = 0;
      if (parseNumber(Each->Name, Tid))
        Visit(static_cast<int>(Tid));
      At += Each->Bytes;
    }
  }
  close(File);
  return IsWhole;
}

bool isSignalOurs() {
  struct sigaction Action = {};
  return sigaction(State.Signal, nullptr, &Action) == 0 &&
         (Action.sa_flags & SA_SIGINFO) != 0 &&
         Action.sa_sigaction == takeSample;
}

void stopAll() {
  __atomic_store_n(&State.IsOn, false, __ATOMIC_RELEASE);
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.All[I].Tid != 0)
      remove(State.All[I]);
}

void countCpuTime() {
  uint64_t Used = processCpuNs() - State.StartCpuNs;
  addToCounter(State.CpuNs, Used - State.CountedCpuNs);
  State.CountedCpuNs = Used;
}
} // namespace

void loopscope::runtime::registerTimers() {
  State.Threads = registerCounter(LOOPSCOPE_COUNT_STACKS_THREADS);
  State.Refused = registerCounter(LOOPSCOPE_COUNT_STACKS_REFUSED);
  State.SignalTaken = registerCounter(LOOPSCOPE_COUNT_STACKS_SIGNAL);
  State.CpuNs = registerCounter(LOOPSCOPE_COUNT_STACKS_CPU_NS);
}

void loopscope::runtime::takeSignal() {
  for (int Number : Candidates) {
    struct sigaction Action = {};
    if (sigaction(Number, nullptr, &Action) != 0)
      continue;
    bool IsFree =
        (Action.sa_flags & SA_SIGINFO) == 0 && Action.sa_handler == SIG_DFL;
    State.Signal = Number;
    if (!IsFree && !isSignalOurs())
      continue;
    Action = {};
    Action.sa_sigaction = takeSample;
    Action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&Action.sa_mask);
    if (sigaction(Number, &Action, nullptr) != 0)
      continue;
    State.StartCpuNs = processCpuNs();
    __atomic_store_n(&State.IsOn, true, __ATOMIC_RELEASE);
    return;
  }
  addToCounter(State.SignalTaken, 1);
  warn("LOOPSCOPE=stacks: the program handles both SIGURG and SIGWINCH, by "
       "which threads are sampled; there are no samples");
}

void loopscope::runtime::sampleThread() {
  int Tid = ownTid();
  Turn Ours;
  // Whoever has it finds this thread, too, or does so in the next round.
  if (Ours && isOn() && findThread(Tid) == nullptr)
    addThread(Tid);
}

void loopscope::runtime::letGoOfThread() {
  Turn Ours;
  if (!Ours)
    return;
  if (Sampled *Place = findThread(ownTid()))
    remove(*Place);
}

void loopscope::runtime::updateThreads() {
  Turn Ours;
  if (!Ours || !isOn())
    return;
  countCpuTime();
  if (!isSignalOurs()) {
    stopAll();
    addToCounter(State.SignalTaken, 1);
    return;
  }
  uint32_t Round = ++State.Round;
  bool IsWhole = forEachThread([&](int Tid) {
    if (Sampled *Known = findThread(Tid))
      Known->Round = Round;
    else
      addThread(Tid);
  });
  for (uint32_t I = 0; IsWhole && I < State.Count; ++I)
    if (State.All[I].Tid != 0 && State.All[I].Round != Round)
      remove(State.All[I]);
}

void loopscope::runtime::stopTimers() {
  if (!isOn())
    return;
  __atomic_store_n(&State.IsOn, false, __ATOMIC_RELEASE);
  Turn Ours;
  if (!Ours)
    return;
  countCpuTime();
  stopAll();
}

void loopscope::runtime::resetTimers() {
  State.IsOn = State.IsBusy = State.HasRefused = false;
  State.Count = State.Round = 0;
  State.CountedCpuNs = 0;
}
