// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses the kernel's calls: libc's refuse this signal.

#include "sample_signal.h"

#include "kernel_action.h"
#include "system_call.h"

#include <sys/syscall.h>
#include <sys/time.h>

using namespace loopscope::runtime;

namespace {
struct SignalData {
  KernelAction Before; // ours
  KernelAction Ours;
};
SignalData State;

// Sets an action and reads the last one; both may be null.
int exchange(const KernelAction *Next, KernelAction *Last) {
  return static_cast<int>(
      -systemCall(SYS_rt_sigaction, SampleSignal, reinterpret_cast<long>(Next),
                  reinterpret_cast<long>(Last), sizeof(Next->Mask)));
}

// SIG_DFL and SIG_IGN.
constexpr uintptr_t Default = 0, Ignore = 1;

bool isDefault(const KernelAction &Action) {
  return reinterpret_cast<uintptr_t>(Action.Handler) == Default;
}
bool isIgnore(const KernelAction &Action) {
  return reinterpret_cast<uintptr_t>(Action.Handler) == Ignore;
}

int install() {
  KernelAction Last{};
  if (int Error = exchange(nullptr, &Last); Error != 0)
    return Error;
  // The handler needs it from the start: another thread may change its user.
  if (Last.Handler != State.Ours.Handler)
    State.Before = Last;
  return exchange(&State.Ours, nullptr);
}
} // namespace

int loopscope::runtime::takeSampleSignal(SampleHandler Handler) {
  State.Ours = {};
  State.Ours.Handler = Handler;
  State.Ours.Flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | SA_NODEFER;
  setReturn(State.Ours);
  return install();
}

bool loopscope::runtime::isProfilerRunning() {
  itimerval Timer{};
  if (systemCall(SYS_getitimer, ITIMER_PROF, reinterpret_cast<long>(&Timer)) !=
      0)
    return false;
  // From its tick until the thread runs again, no time is left to its value.
  auto IsSet = [](const timeval &Of) {
    return Of.tv_sec != 0 || Of.tv_usec != 0;
  };
  return IsSet(Timer.it_value) || IsSet(Timer.it_interval);
}

void loopscope::runtime::deferProfiler(bool Defers) {
  uint64_t Mask = Defers ? uint64_t(1) << (SIGPROF - 1) : 0;
  if (State.Ours.Mask == Mask)
    return;
  State.Ours.Mask = Mask;
  install();
}

SignalState loopscope::runtime::keepSampleSignal() {
  KernelAction Now{};
  // If the kernel refuses to say, assume no change.
  if (exchange(nullptr, &Now) != 0)
    return SignalState::Kept;
  if (Now.Handler == State.Ours.Handler)
    return SignalState::Kept;
  // Libc does it once.
  if (!isDefault(State.Before) || isDefault(Now) || isIgnore(Now) ||
      install() != 0)
    return SignalState::Lost;
  return SignalState::Retaken;
}

void loopscope::runtime::passOnSignal(int Signal, siginfo_t *Info,
                                      void *Context) {
  const KernelAction &Before = State.Before;
  if (isIgnore(Before))
    return;
  if (!isDefault(Before)) {
    // As the kernel would; our return restores the mask. musl's handler raises
    // the signal again, for later.
    uint64_t Mask = Before.Mask;
    if ((Before.Flags & SA_NODEFER) == 0)
      Mask |= uint64_t(1) << (Signal - 1);
    systemCall(SYS_rt_sigprocmask, SIG_BLOCK, reinterpret_cast<long>(&Mask), 0,
               sizeof(Mask));
    Before.Handler(Signal, Info, Context);
    return;
  }
  // Only another process's signal ends this one, as it would without samples.
  if (Info->si_code > 0 || Info->si_code == SI_TIMER)
    return;
  exchange(&Before, nullptr);
  raise(Signal);
}

void loopscope::runtime::giveBackSampleSignal(bool MayCome) {
  KernelAction Now{};
  if (exchange(nullptr, &Now) != 0 || Now.Handler != State.Ours.Handler)
    return;
  if (isDefault(State.Before)) {
    // The default ends the process; ignoring first removes pending signals.
    KernelAction Ignoring{};
    Ignoring.Handler = reinterpret_cast<SampleHandler>(Ignore);
    if (exchange(&Ignoring, nullptr) != 0 || MayCome)
      return;
  }
  exchange(&State.Before, nullptr);
}
