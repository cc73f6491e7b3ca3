// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This process's rank in a distributed run, and the run's id.

#ifndef LOOPSCOPE_PROCESS_RANK_H
#define LOOPSCOPE_PROCESS_RANK_H

#include "base/system.h"

#include <stdint.h>

namespace loopscope::runtime {

struct Rank {
  int32_t Index = -1; ///< -1: not part of a distributed run
  int32_t World = 0;  ///< 0: unknown
  /// The variable that gave Index; "" if none did.
  const char *Source = "";
};

/// Reads the launcher's environment variables.
Rank readRank();

/// Appends an id that all processes of this run share and other runs don't: the
/// launcher's name of the job or, for Hydra, mpirun's address. Otherwise
/// LOOPSCOPE_RUN_ID_PARENT and the process that started this one, which only
/// ranks of one host can share. Printable, at most 127 bytes.
void readRunId(Text &Id);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_RANK_H
