// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sampled threads, and the signal handler.

#include "timers.h"

#include "code.h"
#include "source.h"
#include "table.h"
#include "valgrind.h"
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
// Each takes a file descriptor from the program.
constexpr uint32_t MostEvents = 64;
constexpr int Candidates[] = {SIGURG, SIGWINCH};

struct Sampled {
  int Tid; // 0: a free entry
  SampleSource By;
  uint32_t Round; // last call of updateThreads() that saw it
};

struct TimersState {
  CounterId Threads, Refused, SignalTaken, UserOnly, Valgrind, CpuNs;
  bool IsOn;
  bool IsBusy;
  bool HasRefused;
  bool WithoutKernel; // some events exclude the kernel's part
  bool PrefersEvents; // ticks were misleading
  uint32_t Events;
  int Signal;
  uint32_t Round;
  uint32_t Count; // entries used so far
  uint64_t StartCpuNs;
  uint64_t CountedCpuNs;
  uint64_t Samples;
  // CountedCpuNs and Samples when the ticks were last judged.
  uint64_t JudgedCpuNs, JudgedSamples;
  Sampled All[MostThreads];
};
TimersState State;

// Exclusive access to All; a thread that doesn't get it leaves.
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

// Sets the calling thread's place in the tree. The thread may be anywhere
// inside a hook.
void findPlace(StackSample &Into) {
  Thread *T = ownTree();
  Node *N = T == nullptr ? nullptr : links(T).Current;
  Into.thread = T == nullptr ? LOOPSCOPE_NONE : T->index;
  if (N != nullptr && (links(N).Parent != nullptr || T->is_main != 0)) {
    Into.node = N->index;
    return;
  }
  Into.node = mainThreadNode();
  Into.flags = LOOPSCOPE_STACK_FOREIGN;
}

void sampleHere(const void *Context) {
  __atomic_fetch_add(&State.Samples, 1, __ATOMIC_RELAXED);
  StackSample Sample = {};
  findPlace(Sample);
  Sample.loading = codeLoading();
  Sample.depth = static_cast<uint16_t>(
      walkStack(Context, Sample.frame, LOOPSCOPE_STACK_FRAMES));
  if (Sample.depth != 0)
    addStackSample(Sample);
}

int ownTid() { return static_cast<int>(syscall(SYS_gettid)); }

uint64_t intervalNs() { return NsPerSecond / StacksHz; }

// The file of the calling thread's perf event, or -1.
int ownEvent() {
  int Tid = ownTid();
  uint32_t Count = __atomic_load_n(&State.Count, __ATOMIC_ACQUIRE);
  for (uint32_t I = 0; I < Count; ++I)
    if (__atomic_load_n(&State.All[I].Tid, __ATOMIC_RELAXED) == Tid)
      return State.All[I].By.File;
  return -1;
}

void takeSample(int /*Signal*/, siginfo_t *Info, void *Context) {
  if (!isOn() || __atomic_load_n(&Header, __ATOMIC_ACQUIRE) == nullptr)
    return;
  bool IsTimer =
      Info->si_code == SI_TIMER && Info->si_value.sival_ptr == &State;
  int Event = IsTimer ? -1 : ownEvent();
  bool IsEvent = Event >= 0 && Info->si_fd == Event &&
                 (Info->si_code == POLL_HUP || Info->si_code == POLL_IN);
  int Saved = errno;
  if (IsTimer || IsEvent)
    sampleHere(Context);
  // Another pending SIGURG may stand for the event's, too.
  if (Event >= 0)
    resumeEvent(Event, intervalNs());
  errno = Saved;
}

// 0 if the kernel refuses.
uint64_t processCpuNs() {
  timespec Time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Time) != 0)
    return 0;
  return static_cast<uint64_t>(Time.tv_sec) * NsPerSecond +
         static_cast<uint64_t>(Time.tv_nsec);
}

// Reports that the kernel refuses WHAT, so that WHO has no samples.
void refuse(const char *What, int Error, const char *Who) {
  if (State.HasRefused)
    return;
  State.HasRefused = true;
  addToCounter(State.Refused, 1);
  TextBuffer<256> Message;
  Message << "LOOPSCOPE=stacks: the kernel refuses " << What << " ("
          << reasonOf(Error) << "); " << Who << " no samples";
  warn(Message.c_str());
}

Sampled *findThread(int Tid) {
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.All[I].Tid == Tid)
      return &State.All[I];
  return nullptr;
}

// Starts sampling TID, with its data in PLACE.
bool start(Sampled &Place, int Tid, EventUse Events) {
  SampleSource Source;
  int Error = 0;
  if (!startSource(Source, Tid, {intervalNs(), State.Signal, &State}, Events,
                   Error)) {
    if (Error != 0)
      refuse("timers on threads' processor time", Error,
             "some or all threads have");
    return false;
  }
  Place = {Tid, Source, State.Round};
  if (&Place == &State.All[State.Count])
    __atomic_store_n(&State.Count, State.Count + 1, __ATOMIC_RELEASE);
  if (Source.File < 0)
    return true;
  ++State.Events;
  if (Source.User && !State.WithoutKernel) {
    State.WithoutKernel = true;
    addToCounter(State.UserOnly, 1);
  }
  // From here on the handler finds the entry.
  resumeEvent(Source.File, intervalNs());
  return true;
}

EventUse eventUse() {
  if (State.Events >= MostEvents)
    return EventUse::Never;
  return State.PrefersEvents ? EventUse::Always : EventUse::WhereNeeded;
}

void addThread(int Tid) {
  Sampled *Place = findThread(0);
  if (Place == nullptr && State.Count == MostThreads) {
    addToCounter(State.Threads, 1);
    return;
  }
  if (Place == nullptr)
    Place = &State.All[State.Count];
  start(*Place, Tid, eventUse());
}

void remove(Sampled &Place) {
  State.Events -= Place.By.File >= 0 ? 1 : 0;
  stopSource(Place.By);
  Place.Tid = 0;
}

void restart(Sampled &Place, EventUse Events) {
  int Tid = Place.Tid;
  remove(Place);
  start(Place, Tid, Events);
}

// Calls VISIT with the id of each thread of the process; false if they can't be
// listed.
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

// True if the kernel refuses to say: assume no change.
bool isSignalOurs() {
  struct sigaction Action = {};
  return sigaction(State.Signal, nullptr, &Action) != 0 ||
         ((Action.sa_flags & SA_SIGINFO) != 0 &&
          Action.sa_sigaction == takeSample);
}

void stopAll() {
  __atomic_store_n(&State.IsOn, false, __ATOMIC_RELEASE);
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.All[I].Tid != 0)
      remove(State.All[I]);
}

void countCpuTime() {
  uint64_t Now = processCpuNs();
  uint64_t Used = Now - State.StartCpuNs;
  if (Now == 0 || Used < State.CountedCpuNs)
    return;
  addToCounter(State.CpuNs, Used - State.CountedCpuNs);
  State.CountedCpuNs = Used;
}
// Switches from timers to events if ticks mislead.
void judgeTicks() {
  constexpr uint64_t Enough = 200; // samples
  uint64_t Wanted = (State.CountedCpuNs - State.JudgedCpuNs) / intervalNs();
  if (State.PrefersEvents || Wanted < Enough)
    return;
  uint64_t Samples = __atomic_load_n(&State.Samples, __ATOMIC_RELAXED);
  State.PrefersEvents = doTicksMislead(Samples - State.JudgedSamples, Wanted);
  State.JudgedCpuNs = State.CountedCpuNs;
  State.JudgedSamples = Samples;
  if (!State.PrefersEvents)
    return;
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.All[I].Tid != 0 && State.All[I].By.File < 0)
      restart(State.All[I], eventUse());
}
} // namespace

void loopscope::runtime::registerTimers() {
  State.Threads = registerCounter(LOOPSCOPE_COUNT_STACKS_THREADS);
  State.Refused = registerCounter(LOOPSCOPE_COUNT_STACKS_REFUSED);
  State.SignalTaken = registerCounter(LOOPSCOPE_COUNT_STACKS_SIGNAL);
  State.UserOnly = registerCounter(LOOPSCOPE_COUNT_STACKS_USER_ONLY);
  State.Valgrind = registerCounter(LOOPSCOPE_COUNT_STACKS_VALGRIND);
  State.CpuNs = registerCounter(LOOPSCOPE_COUNT_STACKS_CPU_NS);
}

void loopscope::runtime::takeSignal() {
  if (isUnderValgrind()) {
    addToCounter(State.Valgrind, 1);
    warn("LOOPSCOPE=stacks: valgrind can't deliver the signals that sample "
         "threads; there are no samples");
    return;
  }
  int Error = 0;
  for (int Number : Candidates) {
    struct sigaction Action = {};
    if (sigaction(Number, nullptr, &Action) != 0) {
      Error = errno;
      continue;
    }
    bool IsFree =
        (Action.sa_flags & SA_SIGINFO) == 0 && Action.sa_handler == SIG_DFL;
    State.Signal = Number;
    if (!IsFree && !isSignalOurs())
      continue;
    Action = {};
    Action.sa_sigaction = takeSample;
    Action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&Action.sa_mask);
    if (sigaction(Number, &Action, nullptr) != 0) {
      Error = errno;
      continue;
    }
    State.StartCpuNs = processCpuNs();
    __atomic_store_n(&State.IsOn, true, __ATOMIC_RELEASE);
    return;
  }
  if (Error != 0) {
    refuse("handlers of signals", Error, "there are");
    return;
  }
  addToCounter(State.SignalTaken, 1);
  warn("LOOPSCOPE=stacks: the program handles both SIGURG and SIGWINCH, which "
       "would sample threads; there are no samples");
}

void loopscope::runtime::sampleThread() {
  int Tid = ownTid();
  Turn Ours;
  // If another thread has it, that one finds this thread, at the latest in the
  // next round.
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
  for (uint32_t I = 0; I < State.Count; ++I) {
    Sampled &Each = State.All[I];
    if (Each.Tid != 0 && IsWhole && Each.Round != Round)
      remove(Each);
    else if (Each.Tid != 0 && !isIntact(Each.By))
      restart(Each, EventUse::Never); // the program has closed the file
  }
  judgeTicks();
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
  // The child has copies of the file descriptors.
  for (uint32_t I = 0; I < State.Count; ++I) {
    State.All[I].By.Timer = -1;
    remove(State.All[I]);
  }
  State.Count = State.Round = State.Events = 0;
  State.WithoutKernel = State.PrefersEvents = false;
  State.CountedCpuNs = State.Samples = 0;
  State.JudgedCpuNs = State.JudgedSamples = 0;
}
