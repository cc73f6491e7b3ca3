// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources that use system calls directly: libc's functions would start a thread
// for some timers, and name no clock for another thread.

#include "source.h"

#include "base/clock.h"
#include "base/kernel_time.h"
#include "base/system.h"
#include "base/thread_memory.h"

#include "system_call.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
// The kernel's struct; libc doesn't name all its fields.
struct TimerEvent {
  sigval Value;
  int Signal;
  int Notify;
  int Thread;
  char Rest[64 - sizeof(sigval) - 3 * sizeof(int)];
};
static_assert(sizeof(TimerEvent) == 64);
constexpr int NotifyThread = 4; // SIGEV_THREAD_ID

timespec timespecOf(uint64_t Ns) {
  return {static_cast<time_t>(Ns / NsPerSecond),
          static_cast<long>(Ns % NsPerSecond)};
}

// A timer that is due a moment after a tick waits for the next one: half of the
// samples would be missed, at different rates per thread. Due half a tick
// earlier, it fires at the intended tick. If every tick is wanted, the timer is
// due at each one, however briefly the thread ran since the last: all ticks
// stand for the same time.
uint64_t tickInterval(uint64_t Wanted) {
  uint64_t Tick = tickNs();
  constexpr uint64_t PartOfTick = 8;
  if (Tick == 0)
    return Wanted;
  return Wanted > Tick ? Wanted - Tick / 2 : Tick / PartOfTick;
}

// Whether a timer can fire as often as wanted.
bool isTimerEnough(uint64_t IntervalNs) {
  uint64_t Tick = tickNs();
  return Tick != 0 && IntervalNs >= Tick;
}

bool startTimer(SampleSource &Source, int Tid, const SourceSettings &By,
                int &Error) {
  TimerEvent Event = {};
  Event.Value.sival_ptr = By.Token;
  Event.Signal = By.Signal;
  Event.Notify = NotifyThread;
  Event.Thread = Tid;
  int Timer = -1;
  if (syscall(SYS_timer_create, threadClock(Tid), &Event, &Timer) != 0) {
    Error = errno == EINVAL || errno == ESRCH ? 0 : errno;
    return false;
  }
  timespec Period = timespecOf(tickInterval(By.IntervalNs));
  struct {
    timespec Interval, First;
  } Times = {Period, Period};
  // If every tick is wanted, the first one is, too: a thread may end before it
  // has run for a period.
  if (By.IntervalNs <= tickNs())
    Times.First = timespecOf(1);
  if (syscall(SYS_timer_settime, Timer, 0, &Times, nullptr) != 0) {
    Error = errno;
    syscall(SYS_timer_delete, Timer);
    return false;
  }
  Source.Timer = Timer;
  return true;
}

int call(int File, unsigned long Request, void *Argument) {
  return static_cast<int>(systemCall(SYS_ioctl, File,
                                     static_cast<long>(Request),
                                     reinterpret_cast<long>(Argument)));
}

// Opens an event that fires in the program's own code only: a signal that is
// raised inside a system call may interrupt it, and one that is raised by
// execve() would end the new program.
int openEvent(int Tid, uint64_t IntervalNs) {
  perf_event_attr Event = {};
  Event.type = PERF_TYPE_SOFTWARE;
  Event.size = sizeof(Event);
  Event.config = PERF_COUNT_SW_TASK_CLOCK;
  Event.sample_period = IntervalNs;
  Event.disabled = 1;
  Event.exclude_hv = 1;
  Event.exclude_kernel = 1;
  Event.wakeup_events = 1;
  constexpr unsigned long CloseOnExec = PERF_FLAG_FD_CLOEXEC;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &Event, Tid, -1, -1, CloseOnExec));
}

bool isEvent(int File, uint64_t Id) {
  uint64_t Now = 0;
  return call(File, PERF_EVENT_IOC_ID, &Now) == 0 && Now == Id;
}

// Moves the event FILE to a number that programs hardly reach, in the last
// eighth of the possible ones; -1 if there are few. Closes FILE, unless the
// program has already done it. It must be in the program's table, because the
// handler uses it.
int outOfTheWay(int File) {
  constexpr rlim_t Few = 256, Most = 1U << 20;
  rlimit Limit{};
  int Moved = -1;
  uint64_t Id = 0;
  if (call(File, PERF_EVENT_IOC_ID, &Id) != 0)
    return -1;
  if (getrlimit(RLIMIT_NOFILE, &Limit) == 0 && Limit.rlim_cur >= Few) {
    rlim_t All = Limit.rlim_cur < Most ? Limit.rlim_cur : Most;
    Moved = fcntl(File, F_DUPFD_CLOEXEC, static_cast<int>(All - All / 8));
  }
  if (isEvent(File, Id))
    close(File);
  return Moved;
}

bool startEvent(SampleSource &Source, int Tid, const SourceSettings &By) {
  int File = isRoomForSignals() ? openEvent(Tid, By.IntervalNs) : -1;
  if (File >= 0)
    File = outOfTheWay(File);
  if (File < 0)
    return false;
  f_owner_ex Owner = {F_OWNER_TID, Tid};
  uint64_t Id = 0;
  if (fcntl(File, F_SETSIG, By.Signal) != 0 ||
      fcntl(File, F_SETOWN_EX, &Owner) != 0 ||
      fcntl(File, F_SETFL, O_ASYNC | O_NONBLOCK) != 0 ||
      call(File, PERF_EVENT_IOC_ID, &Id) != 0) {
    close(File);
    return false;
  }
  Source.File = File;
  Source.Id = Id;
  return true;
}
} // namespace

uint64_t loopscope::runtime::tickNs() {
  timespec Resolution{};
  return syscall(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &Resolution) == 0
             ? static_cast<uint64_t>(Resolution.tv_nsec)
             : 0;
}

clockid_t loopscope::runtime::threadClock(int Tid) {
  constexpr uint32_t PerThread = 4, Scheduled = 2;
  return static_cast<clockid_t>(~static_cast<uint32_t>(Tid) << 3 | PerThread |
                                Scheduled);
}

bool loopscope::runtime::isRoomForSignals() {
  char Text[4096] = "";
  readFile("/proc/self/status", Text, sizeof(Text));
  const char *Line = strstr(Text, "\nSigQ:\t");
  const char *Slash = Line == nullptr ? nullptr : strchr(Line, '/');
  constexpr int Decimal = 10;
  return Slash != nullptr &&
         strtol(Line + strlen("\nSigQ:\t"), nullptr, Decimal) <
             strtol(Slash + 1, nullptr, Decimal) / 2;
}

bool loopscope::runtime::startSource(SampleSource &Source, int Tid,
                                     const SourceSettings &By, EventUse Events,
                                     int &Error) {
  int Saved = errno;
  Source = {};
  Error = 0;
  bool IsTimerBetter =
      Events == EventUse::Never ||
      (Events == EventUse::WhereNeeded && isTimerEnough(By.IntervalNs));
  bool Started = (IsTimerBetter && startTimer(Source, Tid, By, Error)) ||
                 (Events != EventUse::Never && startEvent(Source, Tid, By)) ||
                 (!IsTimerBetter && Events != EventUse::Only &&
                  startTimer(Source, Tid, By, Error));
  errno = Saved;
  return Started;
}

bool loopscope::runtime::doTicksMislead(uint64_t Samples, uint64_t Wanted) {
  constexpr uint64_t PartThatMayDiffer = 8;
  uint64_t Apart = Samples < Wanted ? Wanted - Samples : Samples - Wanted;
  return Apart > Wanted / PartThatMayDiffer;
}

bool loopscope::runtime::isIntact(const SampleSource &Source) {
  int Saved = errno;
  bool Is = Source.File < 0 || isEvent(Source.File, Source.Id);
  errno = Saved;
  return Is;
}

bool loopscope::runtime::stopSource(SampleSource &Source) {
  int Saved = errno;
  bool HasStopped =
      Source.Timer < 0 || syscall(SYS_timer_delete, Source.Timer) == 0;
  // A forked child may have a copy of the file, which keeps the event.
  if (Source.File >= 0)
    HasStopped = isIntact(Source) &&
                 call(Source.File, PERF_EVENT_IOC_DISABLE, nullptr) == 0;
  dropSource(Source);
  errno = Saved;
  return HasStopped;
}

void loopscope::runtime::dropSource(SampleSource &Source) {
  int Saved = errno;
  if (Source.File >= 0 && isIntact(Source))
    close(Source.File);
  Source = {};
  errno = Saved;
}

// With bounded intervals, between half and one and a half of the mean for
// example, a loop whose period is two thirds of it would still see samples in
// groups, and its shares would be out of their intervals too often. Exponential
// ones have no such period. The least time is for the handler, and so short
// that no loop notices.
uint64_t loopscope::runtime::randomInterval(uint64_t IntervalNs,
                                            uint64_t Reading) {
  constexpr uint64_t Odd = 0x9e3779b97f4a7c15U, LeastPart = 16;
  uint64_t Dice = Reading * Odd;
  Dice = (Dice ^ Dice >> 32) * Odd | 1;
  // -ln(Dice / 2^64), in integers: log2(1 + x) is about x + 0.343 x (1 - x).
  constexpr uint64_t One = 1U << 16, Bend = 22485, Ln2 = 45426;
  auto Zeros = static_cast<unsigned>(__builtin_clzll(Dice));
  uint64_t X = Dice << Zeros << 1 >> 48;
  uint64_t Log2 = X + X * (One - X) / One * Bend / One;
  uint64_t Exponential = ((Zeros + 1) * One - Log2) * Ln2 / One;
  uint64_t Least = IntervalNs / LeastPart;
  return Least + (IntervalNs - Least) * Exponential / One;
}

void loopscope::runtime::resumeEvent(int File, uint64_t IntervalNs) {
  uint64_t Next = randomInterval(IntervalNs, now());
  call(File, PERF_EVENT_IOC_PERIOD, &Next);
  call(File, PERF_EVENT_IOC_REFRESH, reinterpret_cast<void *>(uintptr_t(1)));
}
