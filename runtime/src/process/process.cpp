// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life cycle of the process's profile: constructor, first hook, fork, exit.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#include <loopscope/run_settings.h>
#pragma GCC visibility pop

#include "process.h"

#include "background.h"
#include "base/clock.h"
#include "base/deferral.h"
#include "base/fork_notice.h"
#include "base/free_name.h"
#include "base/objects.h"
#include "base/slow_lock.h"
#include "base/system.h"
#include "detach.h"
#include "facts.h"
#include "identity.h"
#include "options.h"
#include "own_cost.h"
#include "profile/lost_file.h"
#include "profile/profile_file.h"
#include "profile/profile_save.h"
#include "profile/sites.h"
#include "profile/sums.h"
#include "program.h"
#include "rank.h"
#include "report_launch.h"
#include "tree/events.h"
#include "tree/extension.h"
#include "tree/keys.h"
#include "tree/schedule.h"
#include "tree/slow_path.h"
#include "tree/subscriptions.h"
#include "tree/threads.h"

#include <loopscope/view_names.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
enum class Start : uint32_t { NotYet, Going, Done };

// The process's state, with data that only this file needs.
struct ProcessLife {
  Start Started = Start::NotYet;
  pid_t ParentOfFork = 0;  // set in forked children
  bool GaveUp = false;     // out of memory for a profile
  bool MainIsNear = false; // constructors run, so libc is ready
};
constinit ProcessLife Life;

void describe(loopscope_profile_header &Into) {
  Into.mode = Process.Settings.Mode;
  Into.warmup_steps = StepSchedule.WarmupSteps;
  Into.warmup_per_epoch = StepSchedule.WarmupPerEpoch ? 1 : 0;
  if (Process.Settings.Mode == LOOPSCOPE_MODE_TRACE)
    Into.event_bytes_limit = Process.Settings.EventBytes;
  Into.window_wait = StepSchedule.WindowWait;
  Into.window_warmup = StepSchedule.WindowWarmup;
  Into.window_active = StepSchedule.WindowActive;
  Into.window_repeat = StepSchedule.WindowRepeat;
  if (Life.ParentOfFork != 0)
    Into.flags |= LOOPSCOPE_FLAG_FORKED;
  describeIdentity(Into);
  copyHead(Into.options, sizeof(Into.options), Process.Settings.Given);
  describeClock(Into);
  // A finer step shows in no figure.
  constexpr uint64_t CoarseNs = 5;
  if (uint64_t Ns = clockStep() * NsPerSecond / TicksPerSecond; Ns >= CoarseNs)
    keepSetting(LOOPSCOPE_SETTING_CLOCK_STEP, Ns);
  callExtensions<void, loopscope_profile_header &>(&Extension::DescribeProfile,
                                                   Into);
}

void finishRun() {
  if (__loopscope_active == 0) {
    awaitSaidLoss(); // which another thread may just be doing
    return;
  }
  endWatch();
  SlowPath Path;
  // A run without spans makes an empty profile; a forked child without hooks
  // and a program that isn't ours make none.
  bool IsOurs = Life.ParentOfFork == 0 && preloadedOptions() == nullptr;
  if (!Path || (!IsOurs && Header == nullptr) || !ensureProfile())
    return;
  uint64_t End = now();
  stopBackground();
  lookAtFile();
  if (fileLoss() == Loss::Lost) {
    awaitSaidLoss();
    return;
  }
  callExtensions(&Extension::Stop);
  {
    SlowLock Lock;
    calibrate(*Header);
    Header->end_ticks = End;
    __atomic_store_n(&Header->end_state, uint32_t(LOOPSCOPE_END_EXITED),
                     __ATOMIC_RELEASE);
  }
  saveProfile(ownProfileName());
  if (fileLoss() == Loss::Lost)
    return;
  if (Life.ParentOfFork == 0)
    launchReport(ReportTime::AtEnd);
  if (Process.MayRemove)
    removeProfile();
}

void afterForkInChild() {
  startOverInChild();
  endDeferral(); // which lockBeforeFork() began
}

// Function mode's hooks record only if their times are shown.
void setActive(bool Active, bool Functions) {
  __loopscope_active = Active ? 1 : 0;
  __loopscope_functions_active = Active && Functions ? 1 : 0;
}

void startExtensions() {
  for (const Extension *Each : Extensions)
    if (Each->CostKey != nullptr)
      registerSum(Each->CostKey, LOOPSCOPE_SUM_TICKS);
  registerSum(LOOPSCOPE_SUM_FIRST_STEPS, LOOPSCOPE_SUM_TICKS);
  registerSum(LOOPSCOPE_SUM_FIRST_DRAWS, LOOPSCOPE_SUM_TICKS);
  callExtensions(&Extension::Start);
}

// A view of the timeline would fail at exit, after the whole run.
void dropViewWithoutTimeline() {
#define LOOPSCOPE_LIST_VIEW_(NAME) NAME,
  constexpr const char *Views[] = {
      LOOPSCOPE_TIMELINE_VIEWS(LOOPSCOPE_LIST_VIEW_)};
#undef LOOPSCOPE_LIST_VIEW_
  Options &Given = Process.Settings;
  for (const char *Each : Views) {
    if (Given.Mode == LOOPSCOPE_MODE_TRACE || strcmp(Given.View, Each) != 0)
      continue;
    Given.View[0] = 0;
    if (Process.Rank.Index > 0)
      return;
    TextBuffer<256> Message;
    Message << "LOOPSCOPE: view=" << Each
            << " needs a timeline, which trace,view=" << Each
            << " records; the report will be the usual one";
    warn(Message.c_str());
  }
}

// Whether the program runs with more rights than its caller (setuid,
// capabilities). Then the environment, the working directory and PATH can't be
// trusted, and nothing is done.
bool isPrivileged() { return getauxval(AT_SECURE) != 0; }

void start() {
  if (isPrivileged()) {
    Process.Settings.Mode = LOOPSCOPE_MODE_OFF;
    setActive(false, false);
    return;
  }
  int Saved = errno;
  readStandardStreams();
  TextBuffer<1024> Message;
  if (!parseOptions(preloadedOptions(), Process.Settings, Message) ||
      !parseOptions(secure_getenv("LOOPSCOPE"), Process.Settings, Message)) {
    Message << "; the program runs unprofiled";
    warn(Message.c_str());
    Process.Settings.Mode = LOOPSCOPE_MODE_OFF;
  }
  if (Process.Settings.Mode != LOOPSCOPE_MODE_OFF) {
    Process.Rank = readRank();
    if (Process.Settings.Rank >= 0)
      Process.Rank = {Process.Settings.Rank, Process.Settings.World,
                      "LOOPSCOPE"};
    dropViewWithoutTimeline();
    readIdentity();
    StepSchedule = Process.Settings.Steps;
    setMostKeys(Process.Settings.MostKeys);
    startClock();
    startThreadEnds();
    startForkNotice(startOverInChild);
    pthread_atfork(lockBeforeFork, unlockAfterFork, afterForkInChild);
    atexit(finishRun);
  }
  setActive(Process.Settings.Mode != LOOPSCOPE_MODE_OFF,
            Process.Settings.Mode != LOOPSCOPE_MODE_SIMPLE);
  if (Process.Settings.Mode != LOOPSCOPE_MODE_OFF)
    startExtensions();
  errno = Saved;
}
} // namespace

bool loopscope::runtime::startRuntime() {
  Start Now{};
  __atomic_load(&Life.Started, &Now, __ATOMIC_ACQUIRE);
  if (Now == Start::Done)
    return __loopscope_active != 0;
  if (const Entries *Other = otherRuntime()) {
    // The other copy has the options; this copy's hooks are still called first.
    bool Active = Other->Start();
    setActive(Active, *Other->FunctionsActive != 0);
    return false;
  }
  // A hook in the program's malloc may be called by the loader, before libc has
  // set up the environment.
  if (environ == nullptr && !Life.MainIsNear)
    return false;
  auto Expected = Start::NotYet;
  // Hooks during start-up aren't recorded. Such a hook may be in a function of
  // the program that start-up itself calls (malloc in dlopen), so it must not
  // wait.
  auto Going = Start::Going;
  if (!__atomic_compare_exchange(&Life.Started, &Expected, &Going, false,
                                 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return Expected == Start::Done && __loopscope_active != 0;
  start();
  auto Done = Start::Done;
  __atomic_store(&Life.Started, &Done, __ATOMIC_RELEASE);
  return __loopscope_active != 0;
}

void loopscope::runtime::startOverInChild() {
  Life.ParentOfFork = getppid();
  forgetLinks();
  forgetRun();
}

void loopscope::runtime::forgetRun() {
  Life.GaveUp = false;
  Process.Merged[0] = 0;
  Process.MayRemove = false;
  callExtensions(&Extension::ChildOfFork);
  resetThreads();
  resetWatch();
  resetBackground();
  resetSubscriptions();
  resetEvents();
  resetKeys();
  resetSites();
  resetSums();
  resetProfile();
  resetSlowLock();
}

bool loopscope::runtime::ensureProfile() {
  if (__atomic_load_n(&Header, __ATOMIC_ACQUIRE) != nullptr)
    return true;
  if (!startRuntime())
    return false;
  callExtensions(&Extension::BeforeProfile);
  SlowLock Lock;
  if (Header != nullptr)
    return true;
  if (Life.GaveUp)
    return false;
  TextBuffer<1024> Path;
  bool NameHasPid = makeOutputPath(Process.Settings.Output, Path);
  TextBuffer<1400> Why;
  loopscope_profile_header *New = openProfile(Path.c_str(), Why);
  if (Why.size() != 0)
    warn(Why.c_str());
  if (New == nullptr) {
    warn("no memory for a profile; the program runs unprofiled");
    Life.GaveUp = true;
    return false;
  }
  describe(*New);
  measureOwnCost(*New);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  memcpy(New->magic, LOOPSCOPE_PROFILE_MAGIC, sizeof(New->magic));
  TextBuffer<1400> WhyNoName;
  if (!nameProfile(Path.c_str(), WhyNoName)) {
    New->flags |= LOOPSCOPE_FLAG_ANONYMOUS;
    warn(WhyNoName.c_str());
  }
  // Nobody expects a name with a process id, which a shell's child has taken
  // before it executes another program. A forked child's name is taken by its
  // parent's profile of the same run.
  if (profilePath()[0] != 0 && !NameHasPid && Life.ParentOfFork == 0)
    warnOfOtherName("profile", Path.c_str(), profilePath());
  callExtensions(&Extension::ProfileMade);
  __atomic_store_n(&Header, New, __ATOMIC_RELEASE);
  makeCounters();
  callExtensions(&Extension::ProfileReady);
  return true;
}

// On a thread of the runtime: a program without marks is worth a profile.
static void beginProgram() {
  SlowPath Path;
  if (Path && ensureProfile())
    callExtensions(&Extension::ProgramBegan);
}

__attribute__((constructor(101))) static void loopscopeStart() {
  Life.MainIsNear = true;
  if (startRuntime() && preloadedOptions() != nullptr)
    watchProgram(beginProgram);
}
