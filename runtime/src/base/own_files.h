// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files for the background thread, in a table of descriptors that isn't the
// program's.
//
// A number that another thread opens and closes is never safe in a program that
// closes what is open and counts on the next number (a daemon's start, dup2):
// the program closes our file, opens its own under that number, and we read or
// close the program's. So a second thread, with a table of its own, opens and
// closes them; the background thread waits for it. The kernel shares no
// descriptor with it, so pipes end and locks go when the program closes them.
//
// Other ways are worse: descriptors kept open at high numbers show up in the
// program, are gone after its closefrom(), make each fork() copy a large table,
// and can't follow the process into another control group. The background
// thread can't have that table itself, because NVML, CUPTI and perf events need
// descriptors that work on the program's threads, too.
//
// Hooks on the program's own threads open and close their files in the
// program's table, within the hook, like any function of a library.

#ifndef LOOPSCOPE_BASE_OWN_FILES_H
#define LOOPSCOPE_BASE_OWN_FILES_H

#include <stdint.h>

namespace loopscope::runtime {

/// Starts the second thread for the calling thread, which is the only one to
/// use it. False: there is none, or the kernel refuses it a table.
bool startOwnFiles();
/// Ends it.
void stopOwnFiles();
/// For a forked child, which has no such thread.
void resetOwnFiles();

/// The number of such threads.
uint32_t ownFilesThreads();
/// The thread's processor time in nanoseconds.
uint64_t ownFilesCpuNs();

/// Calls FUNCTION(ARGUMENT) on the second thread if the calling thread has
/// started one, else here. It must not wait for a lock.
void callWithOwnFiles(void (*Function)(void *Argument), void *Argument);

/// The same for a closure.
template <typename Closure> void withOwnFiles(Closure Work) {
  callWithOwnFiles(
      [](void *Argument) { (*static_cast<Closure *>(Argument))(); },
      reinterpret_cast<void *>(&Work));
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_OWN_FILES_H
