// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This process's place in a distributed run, and the run's name.

#ifndef LOOPSCOPE_CORE_RANK_H
#define LOOPSCOPE_CORE_RANK_H

#include "system.h"

#include <stdint.h>

namespace loopscope::runtime {

struct Rank {
  int32_t Index = -1; ///< -1: not part of a distributed run
  int32_t World = 0;  ///< 0: unknown
  /// The variable that gave Index; "" where none did.
  const char *Source = "";
};

/// What the launcher says in the environment.
Rank readRank();

/// Appends what all processes of this run have in common and those of other
/// runs haven't: the launcher's name of the job, or of Hydra, the address that
/// mpirun listens at. Else LOOPSCOPE_RUN_ID_PARENT and the process that started
/// this one, which only ranks of one host can have in common. Printable, at
/// most 127 bytes.
void readRunId(Text &Id);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_RANK_H
