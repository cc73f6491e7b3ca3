// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Process-wide state: options, and the state of the profile's life cycle.

#ifndef LOOPSCOPE_CORE_PROCESS_H
#define LOOPSCOPE_CORE_PROCESS_H

#include "options.h"
#include "rank.h"
#include "slow_lock.h"
#include "tree.h"

namespace loopscope::runtime {

/// Constant after the constructor has run, except that a rank may be corrected
/// and the ranks may be merged into a file.
struct ProcessFacts {
  Options Settings;
  runtime::Rank Rank;
  char Merged[1024] = ""; ///< rank 0's merged file; empty: none
  bool MayRemove = false; ///< the merged file has all of the profile, and
                          ///< nobody asked for a separate copy
};
extern ProcessFacts Process;

/// Reads the options and prepares for recording at the first call: before main,
/// or at an even earlier hook. Returns whether this copy of the runtime
/// records.
bool startRuntime();

/// Makes the profile at the first call; false if out of memory. Takes the slow
/// lock.
bool ensureProfile();

/// Makes the absolute path for OUTPUT (output=, log=), for this rank and for
/// RANK, as in makeProfileName(), and returns what that returns.
bool makeOutputPath(const char *Output, Text &Path);
bool makeOutputPath(const char *Output, Text &Path, int64_t Rank);

/// Replaces the environment's rank, here and in the profile; the profile keeps
/// its name. Call on a slow path.
void correctRank(const Rank &Known);

/// Reserves BYTES of the timeline's size limit (Process.Settings.EventBytes)
/// for other events.
void reserveEventBytes(uint64_t Bytes);
/// Bytes reserved so far. Any thread.
uint64_t reservedEventBytes();

/// Makes a forked child start over: its first hook makes its own profile. The
/// parent's mappings stay untouched.
void startOverInChild();

/// Forgets the profile, its threads and whatever extensions keep.
void forgetRun();

/// Measures the cost of an empty span and stores it in the header.
void measureOwnCost(loopscope_profile_header &Into);

/// Ensures, at exit, that the profile is in a file; warns if it is lost. Takes
/// the slow lock.
void saveProfile();

/// Runs the report on the finished profile, or prints how to.
void launchReport();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_PROCESS_H
