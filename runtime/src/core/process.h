// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process has one of: options, the lock of all slow paths, the state
// of the profile's life.

#ifndef LOOPSCOPE_CORE_PROCESS_H
#define LOOPSCOPE_CORE_PROCESS_H

#include "options.h"
#include "rank.h"
#include "tree.h"

namespace loopscope::runtime {

/// Guards chunks, sites and the list of threads. Held across fork().
class SlowLock {
public:
  enum Wait { UntilFree, IfFree };
  explicit SlowLock(Wait How = UntilFree);
  ~SlowLock();
  /// False: another thread has it, and IfFree was asked for.
  explicit operator bool() const { return Locked; }
  SlowLock(const SlowLock &) = delete;
  SlowLock &operator=(const SlowLock &) = delete;

private:
  bool Locked = true;
};

/// Constant after the constructor has run, but for a rank that is corrected and
/// a file that the ranks were merged into.
struct ProcessFacts {
  Options Settings;
  runtime::Rank Rank;
  char Merged[1024] = ""; ///< rank 0's; empty: there is none
  bool MayRemove =
      false; ///< the profile is wholly in it, and nobody wants it twice
};
extern ProcessFacts Process;

/// Reads the options and gets ready to record, at the first call: before main,
/// or at a hook that comes even earlier. Whether this copy of the runtime
/// records.
bool startRuntime();

/// Makes the profile at the first call; false when there is no memory for one.
/// Takes the slow lock.
bool ensureProfile();

/// The absolute path that OUTPUT (output=, log=) stands for, for this rank and
/// for RANK, as makeProfileName() takes it.
void makeOutputPath(const char *Output, Text &Path);
void makeOutputPath(const char *Output, Text &Path, int64_t Rank);

/// Corrects what the environment said, here and in the profile; its name stays.
/// On a slow path.
void correctRank(const Rank &Known);

/// Takes BYTES of the timeline's size limit (Process.Settings.EventBytes) for
/// events of another kind.
void reserveEventBytes(uint64_t Bytes);
/// What has been taken so far. Any thread.
uint64_t reservedEventBytes();

/// Makes a forked child start over: its first hook makes its own profile. The
/// parent's mappings stay where they are, untouched.
void resetAfterFork();

/// Measures what a span costs by itself and stores it in the header.
void measureOwnCost(loopscope_profile_header &Into);

/// Makes sure, at exit, that the profile is in a file, or says that it is lost.
/// Takes the slow lock.
void saveProfile();

/// Runs the report on the finished profile, or says how to.
void launchReport();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_PROCESS_H
