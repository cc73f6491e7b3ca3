// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known about the process before it records.

#ifndef LOOPSCOPE_PROCESS_FACTS_H
#define LOOPSCOPE_PROCESS_FACTS_H

#include "options.h"
#include "rank.h"

namespace loopscope::runtime {

/// Constant after the constructor has run, except that a rank may be corrected,
/// the ranks may be merged into a file, and the program may call Gloo.
struct ProcessFacts {
  Options Settings;
  runtime::Rank Rank;
  char Merged[1024] = "";   ///< rank 0's merged file; empty: none
  bool MayRemove = false;   ///< the merged file has all of the profile, and
                            ///< nobody asked for a separate copy
  bool RecordsGloo = false; ///< spans of its operations, by our wrappers
};
extern ProcessFacts Process;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_FACTS_H
