// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life cycle of the process's profile: constructor, first hook, fork, exit.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "process.h"

#include "background.h"
#include "deferral.h"
#include "events.h"
#include "fork_notice.h"
#include "free_name.h"
#include "lost_file.h"
#include "objects.h"
#include "profile_file.h"
#include "profile_name.h"
#include "sites.h"
#include "steps.h"
#include "sums.h"
#include "threads.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

using namespace loopscope::runtime;

constinit ProcessFacts loopscope::runtime::Process;

namespace {
// What a profile says about its process, gathered before main.
struct Identity {
  char Program[256] = "";
  char WorkingDirectory[512] = "";
  char CommandLine[1024] = "";
  char RunId[128] = "";
};

enum class Start : uint32_t { NotYet, Going, Done };

// The process's state, with data that only this file needs.
struct ProcessLife {
  Start Started = Start::NotYet;
  Identity Own;
  pid_t ParentOfFork = 0; // set in forked children
  bool GaveUp = false;    // out of memory for a profile
  uint64_t ReservedEventBytes = 0;
  bool MainIsNear = false; // constructors run, so libc is ready
};
constinit ProcessLife Life;

// Determines the run's id, the same on all its ranks.
void nameRun() {
  TextBuffer<sizeof(Life.Own.RunId)> RunId;
  readRunId(RunId);
  copyHead(Life.Own.RunId, sizeof(Life.Own.RunId), RunId.c_str());
}

void readIdentity() {
  ssize_t Length = readlink("/proc/self/exe", Life.Own.Program,
                            sizeof(Life.Own.Program) - 1);
  if (Length <= 0) {
    // Without /proc, use the name that execve was given.
    const auto *Name = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
    copyTail(Life.Own.Program, sizeof(Life.Own.Program),
             Name == nullptr ? "" : Name);
  } else {
    Life.Own.Program[Length] = 0;
  }
  if (getcwd(Life.Own.WorkingDirectory, sizeof(Life.Own.WorkingDirectory)) ==
      nullptr)
    Life.Own.WorkingDirectory[0] = 0;
  if (Process.Rank.Index >= 0)
    nameRun();
  size_t Used = readFile("/proc/self/cmdline", Life.Own.CommandLine,
                         sizeof(Life.Own.CommandLine));
  for (size_t I = 0; I + 1 < Used; ++I)
    if (Life.Own.CommandLine[I] == 0)
      Life.Own.CommandLine[I] = ' ';
}

void describeRank(loopscope_profile_header &Into) {
  Into.rank = Process.Rank.Index;
  Into.world_size = Process.Rank.World;
  copyHead(Into.rank_source, sizeof(Into.rank_source), Process.Rank.Source);
  copyHead(Into.run_id, sizeof(Into.run_id), Life.Own.RunId);
}

void describe(loopscope_profile_header &Into) {
  Into.pid = getpid();
  Into.parent_pid = getppid();
  describeRank(Into);
  Into.mode = Process.Settings.Mode;
  const Schedule &Steps = Process.Settings.Steps;
  Into.warmup_steps = Steps.WarmupSteps;
  Into.warmup_per_epoch = Steps.WarmupPerEpoch ? 1 : 0;
  if (Process.Settings.Mode == LOOPSCOPE_MODE_TRACE)
    Into.event_bytes_limit = Process.Settings.EventBytes;
  Into.window_wait = Steps.WindowWait;
  Into.window_warmup = Steps.WindowWarmup;
  Into.window_active = Steps.WindowActive;
  Into.window_repeat = Steps.WindowRepeat;
  if (Life.ParentOfFork != 0)
    Into.flags |= LOOPSCOPE_FLAG_FORKED;
  char Host[HOST_NAME_MAX + 1] = "";
  if (gethostname(Host, sizeof(Host) - 1) == 0)
    copyHead(Into.host, sizeof(Into.host), Host);
  copyTail(Into.program, sizeof(Into.program), Life.Own.Program);
  copyTail(Into.working_directory, sizeof(Into.working_directory),
           Life.Own.WorkingDirectory);
  if (Process.Settings.IsPrivate)
    Into.flags |= LOOPSCOPE_FLAG_PRIVATE;
  else
    copyHead(Into.command_line, sizeof(Into.command_line),
             Life.Own.CommandLine);
  copyHead(Into.options, sizeof(Into.options), Process.Settings.Given);
  describeClock(Into);
  callExtensions<void, loopscope_profile_header &>(&Extension::DescribeProfile,
                                                   Into);
}

void finishRun() {
  if (__loopscope_active == 0)
    return;
  SlowPath Path;
  // A run without spans makes an empty profile; a forked child without hooks
  // makes none.
  if (!Path || (Life.ParentOfFork != 0 && Header == nullptr) ||
      !ensureProfile())
    return;
  uint64_t End = now();
  stopBackground();
  lookAtFile();
  if (fileLoss() == Loss::Lost)
    return; // it was said when it happened
  callExtensions(&Extension::Stop);
  {
    SlowLock Lock;
    calibrate(*Header);
    Header->end_ticks = End;
    __atomic_store_n(&Header->end_state, uint32_t(LOOPSCOPE_END_EXITED),
                     __ATOMIC_RELEASE);
  }
  saveProfile();
  if (fileLoss() == Loss::Lost)
    return;
  if (Life.ParentOfFork == 0)
    launchReport();
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
  callExtensions(&Extension::Start);
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
  if (!parseOptions(secure_getenv("LOOPSCOPE"), Process.Settings, Message)) {
    Message << "; the program runs unprofiled";
    warn(Message.c_str());
    Process.Settings.Mode = LOOPSCOPE_MODE_OFF;
  }
  if (Process.Settings.Mode != LOOPSCOPE_MODE_OFF) {
    Process.Rank = readRank();
    if (Process.Settings.Rank >= 0)
      Process.Rank = {Process.Settings.Rank, Process.Settings.World,
                      "LOOPSCOPE"};
    readIdentity();
    startClock();
    startThreads();
    startForkNotice();
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

void loopscope::runtime::reserveEventBytes(uint64_t Bytes) {
  __atomic_fetch_add(&Life.ReservedEventBytes, Bytes, __ATOMIC_RELAXED);
}

uint64_t loopscope::runtime::reservedEventBytes() {
  return __atomic_load_n(&Life.ReservedEventBytes, __ATOMIC_RELAXED);
}

void loopscope::runtime::correctRank(const Rank &Known) {
  SlowLock Lock;
  Process.Rank = Known;
  if (Life.Own.RunId[0] == 0)
    nameRun();
  if (Header != nullptr)
    describeRank(*Header);
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
  resetBackground();
  resetEvents();
  resetSites();
  resetSums();
  resetProfile();
  resetSlowLock();
}

bool loopscope::runtime::makeOutputPath(const char *Output, Text &Path) {
  return makeOutputPath(Output, Path, Process.Rank.Index);
}

bool loopscope::runtime::makeOutputPath(const char *Output, Text &Path,
                                        int64_t Rank) {
  ProfileName Name;
  Name.Output = Output;
  Name.WorkingDirectory = Life.Own.WorkingDirectory;
  Name.Program = Life.Own.Program;
  Name.Pid = getpid();
  Name.RankIndex = Rank;
  return makeProfileName(Name, Path);
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
  return true;
}

__attribute__((constructor(101))) static void loopscopeStart() {
  Life.MainIsNear = true;
  startRuntime();
}
