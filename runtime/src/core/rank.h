// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This process's place in a distributed run.

#ifndef LOOPSCOPE_CORE_RANK_H
#define LOOPSCOPE_CORE_RANK_H

#include <stdint.h>

namespace loopscope::runtime {

struct Rank {
  int32_t Index = -1; ///< -1: not part of a distributed run
  int32_t World = 0;  ///< 0: unknown
};

/// What torchrun, Open MPI, Slurm or PMI say in the environment.
Rank readRank();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_RANK_H
