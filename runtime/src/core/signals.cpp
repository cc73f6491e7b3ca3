// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler for the signals that end a program by default. It records the
// signal in the profile, restores the default, and lets the signal end the
// program, so that exit status, core dump and notified parents are unchanged.

#include "signals.h"

#include "profile_file.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr int Watched[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGABRT, SIGFPE,
                           SIGSEGV, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

// Signals that an instruction raises, and raises again when it is retried.
bool isFault(int Number) {
  return Number == SIGSEGV || Number == SIGBUS || Number == SIGFPE ||
         Number == SIGILL;
}

void note(int Number) {
  // A vfork()ed child runs in the parent's memory.
  if (Header == nullptr || Header->pid != getpid())
    return;
  calibrate(*Header);
  Header->end_code = Number;
  Header->end_ticks = now();
  __atomic_store_n(&Header->end_state, uint32_t(LOOPSCOPE_END_SIGNAL),
                   __ATOMIC_RELEASE);
}

void endBySignal(int Number, siginfo_t *Info, void * /*Context*/) {
  int Saved = errno;
  struct sigaction Action = {};
  // If the program's own handler calls us, the one it replaced, it decides
  // itself whether the program ends.
  bool Ours = sigaction(Number, nullptr, &Action) == 0 &&
              (Action.sa_flags & SA_SIGINFO) != 0 &&
              Action.sa_sigaction == endBySignal;
  if (Ours) {
    note(Number);
    Action = {};
    Action.sa_handler = SIG_DFL;
    sigaction(Number, &Action, nullptr);
    // A fault recurs at the instruction that caused it, which the core dump
    // must show. Other signals are sent again, and arrive when this handler
    // returns.
    if (!isFault(Number) || Info->si_code <= 0)
      raise(Number);
  }
  errno = Saved;
}
} // namespace

void loopscope::runtime::watchSignals() {
  for (int Number : Watched) {
    struct sigaction Action = {};
    if (sigaction(Number, nullptr, &Action) != 0 ||
        (Action.sa_flags & SA_SIGINFO) != 0 || Action.sa_handler != SIG_DFL)
      continue;
    Action = {};
    Action.sa_sigaction = endBySignal;
    Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&Action.sa_mask);
    sigaction(Number, &Action, nullptr);
  }
}
