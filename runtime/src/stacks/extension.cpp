// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the core calls, and the word stacks.

#include "extension.h"

#include "code.h"
#include "table.h"
#include "timers.h"

#include "process/background.h"
#include "process/options.h"
#include "profile/sums.h"

#include <loopscope/run_settings.h>

#include <errno.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t DefaultHz = 250;
constexpr int64_t MostHz = 10000;
bool HasBegun; // in this process

bool parseDefault(char * /*Value*/, Options & /*Core*/, Text & /*Message*/) {
  StacksHz = DefaultHz;
  return true;
}

bool parseHz(char *Value, Options & /*Core*/, Text &Message) {
  int64_t Wanted = 0;
  if (!parseNumber(Value, Wanted) || Wanted < 1 || Wanted > MostHz) {
    Message << "LOOPSCOPE: 'stacks' takes a number from 1 to " << MostHz
            << ", the samples per second of a thread's CPU time";
    return false;
  }
  StacksHz = static_cast<uint32_t>(Wanted);
  return true;
}

constexpr OptionWord Words[] = {{"stacks", parseDefault},
                                {"stacks=1..10000", parseHz}};

void start() {
  if (StacksHz == 0)
    return;
  keepSetting(LOOPSCOPE_SETTING_STACKS_HZ, StacksHz);
  registerStackTable();
  registerTimers();
}

void look() {
  if (StacksHz == 0)
    return;
  int Saved = errno;
  updateCode();
  updateThreads();
  errno = Saved;
}

// Starts sampling, at the first call.
void begin() {
  if (__atomic_exchange_n(&HasBegun, true, __ATOMIC_ACQ_REL))
    return;
  makeStackTable();
  // Before the signal, whose handler libc replaces when it starts the process's
  // first thread.
  startBackground();
  takeSignal();
}

void programBegan() {
  if (StacksHz == 0)
    return;
  int Saved = errno;
  begin();
  look();
  errno = Saved;
}

void threadStarted(Thread * /*T*/) {
  if (StacksHz == 0)
    return;
  int Saved = errno;
  begin();
  updateCode();
  sampleThread();
  errno = Saved;
}

void threadEnded() {
  if (StacksHz != 0)
    letGoOfThread();
}

bool tick() {
  look();
  return true;
}

void lookThrough(Thread * /*T*/) { look(); }

void stop() {
  if (StacksHz == 0)
    return;
  updateCode();
  stopTimers();
}

void reset() {
  if (StacksHz == 0)
    return;
  HasBegun = false;
  resetTimers();
  resetStackTable();
  resetCode();
}
} // namespace

const Extension loopscope::runtime::StacksExtension = {
    .Name = "stacks",
    .Words = Words,
    .Start = start,
    .ProgramBegan = programBegan,
    .ThreadStarted = threadStarted,
    .ThreadEnded = threadEnded,
    .LookThrough = lookThrough,
    .BackgroundStarted = look,
    .Tick = tick,
    .ChildOfFork = reset,
    .Stop = stop,
};
