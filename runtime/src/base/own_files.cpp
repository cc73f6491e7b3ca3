// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second thread, and calls to it.

#include "own_files.h"

#include "deferral.h"
#include "kernel_time.h"
#include "own_threads.h"
#include "thread_memory.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
enum class Phase : uint32_t { Absent, Starting, Refused, Idle, Called, Ending };

struct OwnFilesState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t Changed = PTHREAD_COND_INITIALIZER;
  Phase Now = Phase::Absent;
  pthread_t Thread = {};
  void (*Function)(void *) = nullptr;
  void *Argument = nullptr;
  uint64_t CpuNs = 0;
};
constinit OwnFilesState State;

// Whether the calling thread started the second one.
bool isUser() { return ThisThread.Memory->HasFileThread; }

void setUser(bool Is) {
  if (ThreadMemory *Memory = ownMemory())
    Memory->HasFileThread = Is;
}

class Lock {
public:
  Lock() { pthread_mutex_lock(&State.Mutex); }
  ~Lock() { pthread_mutex_unlock(&State.Mutex); }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;
};

// Lock held.
void change(Phase New) {
  State.Now = New;
  pthread_cond_broadcast(&State.Changed);
}

void waitWhile(Phase Old) {
  while (State.Now == Old)
    pthread_cond_wait(&State.Changed, &State.Mutex);
}

// Gives the calling thread an empty table. The first call (Linux 5.9) copies
// nothing, so none of the program's files stays open for a moment; where it is
// missing, all are closed after the copy.
bool takeTable() {
  constexpr unsigned Unshare = 2; // CLOSE_RANGE_UNSHARE
  constexpr long CloseRange = 436;
  if (syscall(CloseRange, 0U, ~0U, Unshare) == 0)
    return true;
  if (syscall(SYS_unshare, CLONE_FILES) != 0)
    return false;
  rlimit Limit{};
  constexpr rlim_t Most = 1U << 20;
  if (getrlimit(RLIMIT_NOFILE, &Limit) != 0 || Limit.rlim_max > Most)
    Limit.rlim_max = Most;
  for (rlim_t File = 0; File < Limit.rlim_max; ++File)
    close(static_cast<int>(File));
  return true;
}

void *run(void * /*Unused*/) {
  noteOwnThread();
  neverInterrupted();
  prctl(PR_SET_NAME, "loopscope-files");
  bool HasTable = takeTable();
  Lock Held;
  change(HasTable ? Phase::Idle : Phase::Refused);
  while (HasTable) {
    waitWhile(Phase::Idle);
    if (State.Now == Phase::Ending)
      break;
    State.Function(State.Argument);
    State.CpuNs = threadCpuNs();
    change(Phase::Idle);
  }
  if (HasTable)
    change(Phase::Absent);
  return nullptr;
}
} // namespace

bool loopscope::runtime::startOwnFiles() {
  constexpr size_t Room = 1U << 18;
  pthread_attr_t Attributes;
  if (pthread_attr_init(&Attributes) != 0)
    return false;
  int Error = 0;
  {
    Lock Held;
    State.Now = Phase::Starting;
    pthread_attr_setstacksize(&Attributes, stackSize(Room));
    Error = pthread_create(&State.Thread, &Attributes, run, nullptr);
    if (Error != 0)
      State.Now = Phase::Refused;
    waitWhile(Phase::Starting);
    setUser(State.Now == Phase::Idle);
  }
  pthread_attr_destroy(&Attributes);
  if (Error == 0 && !isUser())
    pthread_join(State.Thread, nullptr);
  return isUser();
}

void loopscope::runtime::stopOwnFiles() {
  if (!isUser())
    return;
  {
    Lock Held;
    change(Phase::Ending);
  }
  // A program may end by its last thread's end, which then writes what is in
  // stdout's buffer. That must not be a thread without the program's
  // descriptors.
  pthread_join(State.Thread, nullptr);
  setUser(false);
}

void loopscope::runtime::resetOwnFiles() {
  pthread_mutex_init(&State.Mutex, nullptr);
  pthread_cond_init(&State.Changed, nullptr);
  State.Now = Phase::Absent;
  State.CpuNs = 0;
}

// Called on either of the two threads, neither of which changes it meanwhile.
uint32_t loopscope::runtime::ownFilesThreads() {
  return State.Now == Phase::Idle || State.Now == Phase::Called ? 1 : 0;
}

uint64_t loopscope::runtime::ownFilesCpuNs() { return State.CpuNs; }

void loopscope::runtime::callWithOwnFiles(void (*Function)(void *),
                                          void *Argument) {
  if (!isUser()) {
    Function(Argument);
    return;
  }
  Lock Held;
  State.Function = Function;
  State.Argument = Argument;
  change(Phase::Called);
  waitWhile(Phase::Called);
}
