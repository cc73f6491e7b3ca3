// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sampled threads, and what the signal's handler does.

#include "timers.h"

#include "code.h"
#include "sample_signal.h"
#include "source.h"
#include "table.h"
#include "thread_list.h"
#include "valgrind.h"
#include "walk.h"

#include "base/kernel_time.h"
#include "base/own_threads.h"
#include "base/system.h"
#include "profile/files.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/own_tree.h"
#include "tree/threads.h"

#include "system_call.h"

#include <loopscope/named_losses.h>

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

using namespace loopscope::runtime;

uint32_t loopscope::runtime::StacksHz;

namespace {
constexpr uint32_t MostThreads = ThreadList::Most;
// Each takes a file descriptor from the program.
constexpr uint32_t MostEvents = 64;

struct Sampled {
  int Tid; // 0: a free entry
  SampleSource By;
  uint32_t Round; // last call of updateThreads() that saw it
  uint32_t Fired; // how often its event has
  // As of the last look at the event.
  uint32_t SeenFired;
  uint64_t SeenCpuNs;
};

struct TimersState {
  CounterId UserOnly, CpuNs, AtTicks, TickNs;
  bool IsOn;
  bool IsBusy;
  bool HasRefused;
  bool HasUsedEvents;
  bool HasUsedTicks;
  bool PrefersEvents; // ticks were misleading
  bool OnlyEvents;    // another profiler has the ticks
  bool HasYielded;    // so some threads had no samples
  bool MayCome;       // signals of sources that the kernel didn't stop
  uint32_t Events;
  uint32_t Round;
  uint32_t Count; // entries used so far
  uint64_t StartCpuNs;
  uint64_t CountedCpuNs;
  uint64_t Samples;
  uint64_t TickSamples;        // of them, at ticks
  uint64_t CountedTickSamples; // of those, in the profile
  // CountedCpuNs and Samples when the ticks were last judged.
  uint64_t JudgedCpuNs, JudgedSamples;
  Sampled All[MostThreads];
  ThreadList Listed; // in turns
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

int ownTid() { return static_cast<int>(systemCall(SYS_gettid)); }

// Sets the calling thread's place in the tree. The thread may be anywhere
// inside a hook.
void findPlace(StackSample &Into) {
  Thread *T = ownTree();
  Node *N = T == nullptr ? nullptr : links(T).Current;
  Into.Thread =
      T == nullptr ? LOOPSCOPE_STACK_THREAD_ID | static_cast<uint32_t>(ownTid())
                   : T->index;
  if (N != nullptr && (links(N).Parent != nullptr || T->is_main != 0)) {
    Into.Node = N->index;
    return;
  }
  Into.Node = standInNode();
  Into.Flags = LOOPSCOPE_STACK_FOREIGN;
}

// The handler may be left at any instruction, by a longjmp() in a handler of
// the program that interrupts it. So it holds nothing, and leaves errno alone.
void sampleHere(const void *Context) {
  __atomic_fetch_add(&State.Samples, 1, __ATOMIC_RELAXED);
  StackSample Sample = {};
  findPlace(Sample);
  Sample.Loading = codeLoading();
  WalkedStack Stack;
  walkStack(Context, Stack);
  Sample.Depth = Stack.Depth;
  Sample.Frames = Stack.Frames;
  Sample.Flags |= (Stack.IsWhole ? LOOPSCOPE_STACK_WHOLE : 0) |
                  (Stack.IsGuessed ? LOOPSCOPE_STACK_GUESSED : 0) |
                  (Stack.IsCut ? LOOPSCOPE_STACK_CUT : 0);
  if (Sample.Depth != 0)
    addStackSample(Sample);
}

uint64_t intervalNs() { return NsPerSecond / StacksHz; }

// The calling thread's entry if the signal is its perf event's, else null.
Sampled *findEvent(const siginfo_t &Info) {
  if (Info.si_code != POLL_HUP && Info.si_code != POLL_IN)
    return nullptr;
  int Tid = ownTid();
  uint32_t Count = __atomic_load_n(&State.Count, __ATOMIC_ACQUIRE);
  for (uint32_t I = 0; I < Count; ++I)
    if (__atomic_load_n(&State.All[I].Tid, __ATOMIC_RELAXED) == Tid)
      return State.All[I].By.File == Info.si_fd ? &State.All[I] : nullptr;
  return nullptr;
}

void takeSample(int Signal, siginfo_t *Info, void *Context) {
  bool IsTimer =
      Info->si_code == SI_TIMER && Info->si_value.sival_ptr == &State;
  Sampled *Event = IsTimer ? nullptr : findEvent(*Info);
  if (!IsTimer && Event == nullptr) {
    passOnSignal(Signal, Info, Context);
    return;
  }
  if (!isOn() || __atomic_load_n(&Header, __ATOMIC_ACQUIRE) == nullptr)
    return;
  if (Event != nullptr) {
    __atomic_fetch_add(&Event->Fired, 1, __ATOMIC_RELAXED);
    resumeEvent(Event->By.File, intervalNs());
  }
  if (IsTimer)
    __atomic_fetch_add(&State.TickSamples, 1, __ATOMIC_RELAXED);
  sampleHere(Context);
}

// 0 if the kernel refuses.
uint64_t clockNs(clockid_t Clock) {
  timespec Time{};
  if (clock_gettime(Clock, &Time) != 0)
    return 0;
  return static_cast<uint64_t>(Time.tv_sec) * NsPerSecond +
         static_cast<uint64_t>(Time.tv_nsec);
}

// Reports that the kernel refuses WHAT, so that WHO has no samples.
void refuse(const char *What, int Error, const char *Who) {
  if (State.HasRefused)
    return;
  State.HasRefused = true;
  addToCounter(LOOPSCOPE_COUNT_STACKS_REFUSED, 1);
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
  bool MayStart = !State.OnlyEvents || Events == EventUse::Only;
  if (!MayStart ||
      !startSource(Source, Tid, {intervalNs(), SampleSignal, &State}, Events,
                   Error)) {
    if (Error != 0)
      refuse("timers on threads' CPU time", Error, "some or all threads have");
    else if (State.OnlyEvents && !State.HasYielded) {
      State.HasYielded = true;
      addToCounter(LOOPSCOPE_COUNT_STACKS_PROFILER, 1);
    }
    return false;
  }
  Place = {Tid, Source, State.Round, 0, 0, clockNs(threadClock(Tid))};
  if (&Place == &State.All[State.Count])
    __atomic_store_n(&State.Count, State.Count + 1, __ATOMIC_RELEASE);
  if (Source.File < 0) {
    if (!State.HasUsedTicks)
      addToCounter(State.TickNs, tickNs());
    State.HasUsedTicks = true;
    return true;
  }
  if (++State.Events == 1 && !State.HasUsedEvents) {
    State.HasUsedEvents = true;
    addToCounter(State.UserOnly, 1);
  }
  // From here on the handler finds the entry.
  resumeEvent(Source.File, intervalNs());
  return true;
}

EventUse eventUse() {
  if (State.Events >= MostEvents)
    return EventUse::Never;
  if (State.OnlyEvents)
    return EventUse::Only;
  return State.PrefersEvents ? EventUse::Always : EventUse::WhereNeeded;
}

void addThread(int Tid) {
  Sampled *Place = findThread(0);
  if (Place == nullptr && State.Count == MostThreads) {
    addToCounter(LOOPSCOPE_COUNT_STACKS_THREADS, 1);
    return;
  }
  if (Place == nullptr)
    Place = &State.All[State.Count];
  start(*Place, Tid, eventUse());
}

void remove(Sampled &Place) {
  State.Events -= Place.By.File >= 0 ? 1 : 0;
  State.MayCome |= !stopSource(Place.By);
  Place.Tid = 0;
}

void restart(Sampled &Place, EventUse Events) {
  int Tid = Place.Tid;
  remove(Place);
  start(Place, Tid, Events);
}

void stopAll() {
  __atomic_store_n(&State.IsOn, false, __ATOMIC_RELEASE);
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.All[I].Tid != 0)
      remove(State.All[I]);
}

// Whether a thread's event has to be replaced: there is no room for its
// signals, the program has closed its file, or a signal came to nothing, after
// which an event waits for ever.
bool isUnfit(Sampled &Each, bool HasRoom) {
  if (Each.By.File < 0)
    return false;
  if (!HasRoom || !isIntact(Each.By))
    return true;
  constexpr uint64_t Patience = 16; // intervals
  uint64_t CpuNs = clockNs(threadClock(Each.Tid));
  uint32_t Fired = __atomic_load_n(&Each.Fired, __ATOMIC_RELAXED);
  if (Fired == Each.SeenFired)
    return CpuNs > Each.SeenCpuNs + Patience * intervalNs();
  Each.SeenFired = Fired;
  Each.SeenCpuNs = CpuNs;
  return false;
}

// Makes way for another profiler (sample_signal.h). Among several THREADS of
// the program, only events keep out of its way, because they come between the
// ticks.
void besideProfiler(uint32_t Threads) {
  bool IsRunning = isProfilerRunning();
  deferProfiler(IsRunning && Threads == 1);
  State.OnlyEvents = IsRunning && Threads > 1;
  for (uint32_t I = 0; State.OnlyEvents && I < State.Count; ++I)
    if (State.All[I].Tid != 0 && State.All[I].By.File < 0)
      restart(State.All[I], eventUse());
}

// From now on, ticks are judged.
void startJudging() {
  State.JudgedCpuNs = State.CountedCpuNs;
  State.JudgedSamples = __atomic_load_n(&State.Samples, __ATOMIC_RELAXED);
}

void countTickSamples() {
  uint64_t Now = __atomic_load_n(&State.TickSamples, __ATOMIC_RELAXED);
  addToCounter(State.AtTicks, Now - State.CountedTickSamples);
  State.CountedTickSamples = Now;
}

void countCpuTime() {
  uint64_t Now = clockNs(CLOCK_PROCESS_CPUTIME_ID);
  uint64_t Used = Now - State.StartCpuNs;
  if (Now == 0 || Used < State.CountedCpuNs)
    return;
  addToCounter(State.CpuNs, Used - State.CountedCpuNs);
  State.CountedCpuNs = Used;
}

// False: there is no signal any more, and no source.
bool keepSignal() {
  switch (keepSampleSignal()) {
  case SignalState::Kept:
    return true;
  case SignalState::Retaken:
    startJudging();
    return true;
  case SignalState::Lost:
    break;
  }
  stopAll();
  addToCounter(LOOPSCOPE_COUNT_STACKS_SIGNAL, 1);
  return false;
}

// Switches from timers to events if ticks mislead.
void judgeTicks() {
  constexpr uint64_t Enough = 200; // samples
  uint64_t Wanted = (State.CountedCpuNs - State.JudgedCpuNs) / intervalNs();
  if (State.PrefersEvents || State.OnlyEvents || Wanted < Enough)
    return;
  uint64_t Before = State.JudgedSamples;
  startJudging();
  State.PrefersEvents = doTicksMislead(State.JudgedSamples - Before, Wanted);
  if (!State.PrefersEvents)
    return;
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.All[I].Tid != 0 && State.All[I].By.File < 0)
      restart(State.All[I], eventUse());
}
// False if another thread has the turn; that one finds this thread, at the
// latest in the next round.
bool trySampleThread() {
  int Tid = ownTid();
  Turn Ours;
  if (!Ours)
    return false;
  if (!isOn() || findThread(Tid) != nullptr)
    return true;
  addThread(Tid);
  // Perhaps the process's first thread besides the main one.
  if (State.Count == 2) {
    keepSignal();
    besideProfiler(State.Count);
  }
  return true;
}
} // namespace

void loopscope::runtime::registerTimers() {
  registerCounter(LOOPSCOPE_COUNT_STACKS_THREADS);
  registerCounter(LOOPSCOPE_COUNT_STACKS_REFUSED);
  registerCounter(LOOPSCOPE_COUNT_STACKS_SIGNAL);
  registerCounter(LOOPSCOPE_COUNT_STACKS_PROFILER);
  State.UserOnly = registerCounter(LOOPSCOPE_COUNT_STACKS_USER_ONLY);
  registerCounter(LOOPSCOPE_COUNT_STACKS_VALGRIND);
  State.CpuNs = registerCounter(LOOPSCOPE_COUNT_STACKS_CPU_NS);
  State.AtTicks = registerCounter(LOOPSCOPE_COUNT_STACKS_AT_TICKS);
  State.TickNs = registerCounter(LOOPSCOPE_COUNT_STACKS_TICK_NS);
}

void loopscope::runtime::takeSignal() {
  if (isUnderValgrind()) {
    addToCounter(LOOPSCOPE_COUNT_STACKS_VALGRIND, 1);
    warn("LOOPSCOPE=stacks: valgrind can't deliver the signals that sample "
         "threads; there are no samples");
    return;
  }
  if (int Error = takeSampleSignal(takeSample); Error != 0) {
    refuse("handlers of signals", Error, "there are");
    return;
  }
  // The next round knows the threads.
  deferProfiler(isProfilerRunning());
  State.StartCpuNs = clockNs(CLOCK_PROCESS_CPUTIME_ID);
  __atomic_store_n(&State.IsOn, true, __ATOMIC_RELEASE);
}

void loopscope::runtime::sampleThread() { trySampleThread(); }

void loopscope::runtime::sampleNewThread() {
  constexpr int Patience = 50; // with others that begin at the same time
  auto HasRoom = [] {
    return __atomic_load_n(&State.Count, __ATOMIC_RELAXED) < MostThreads / 2;
  };
  for (int I = 0; I < Patience && isOn() && HasRoom(); ++I) {
    if (trySampleThread())
      return;
    systemCall(SYS_sched_yield);
  }
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
  countTickSamples();
  if (!keepSignal())
    return;
  uint32_t Round = ++State.Round;
  uint32_t Threads = 0;
  listThreads(State.Listed);
  for (uint32_t I = 0; I < State.Listed.Count; ++I) {
    int Tid = State.Listed.Tids[I];
    if (isOwnThread(Tid))
      continue;
    ++Threads;
    if (Sampled *Known = findThread(Tid))
      Known->Round = Round;
    else
      addThread(Tid);
  }
  bool HasRoom = State.Events == 0 || isRoomForSignals();
  for (uint32_t I = 0; I < State.Count; ++I) {
    Sampled &Each = State.All[I];
    if (Each.Tid != 0 && State.Listed.IsWhole && Each.Round != Round)
      remove(Each);
    else if (Each.Tid != 0 && isUnfit(Each, HasRoom))
      restart(Each, eventUse());
  }
  besideProfiler(Threads);
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
  countTickSamples();
  giveBackSampleSignal(State.MayCome);
}

void loopscope::runtime::resetTimers() {
  State.IsOn = State.IsBusy = State.HasRefused = false;
  for (uint32_t I = 0; I < State.Count; ++I) {
    dropSource(State.All[I].By);
    State.All[I].Tid = 0;
  }
  State.Count = State.Round = State.Events = 0;
  State.HasUsedEvents = State.HasUsedTicks = State.PrefersEvents = false;
  State.TickSamples = State.CountedTickSamples = 0;
  State.OnlyEvents = State.HasYielded = State.MayCome = false;
  State.CountedCpuNs = State.Samples = 0;
  State.JudgedCpuNs = State.JudgedSamples = 0;
}
