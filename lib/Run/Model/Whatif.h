// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Experiments on the running program (LOOPSCOPE=whatif): blocks of steps in
// which a phase was lengthened, with undisturbed blocks between them. Plain
// values, checked. Part of the model (Run.h), filled by readWhatif.

#ifndef LOOPSCOPE_RUN_MODEL_WHATIF_H
#define LOOPSCOPE_RUN_MODEL_WHATIF_H

#include <loopscope/profile_format.h>

#include <cstdint>
#include <vector>

namespace loopscope {

/// A complete block; in order of time, process by process.
struct WhatifBlock {
  uint32_t Process = 0;            ///< in a merged profile: which
  uint32_t Phase = LOOPSCOPE_NONE; ///< node of the lengthened phase; NONE: none
  uint32_t Loop = LOOPSCOPE_NONE;  ///< node of the loop whose steps these are
  uint64_t InjectedNs = 0;         ///< into all measured steps, on all threads
  uint64_t PhaseNs = 0;            ///< what the phase took by itself in them
  uint64_t Spans = 0;              ///< of the phase
  uint64_t Lengthened = 0;         ///< how many times
  uint64_t Threads = 0;            ///< that ran them, a bit each
  uint32_t BurnIn = 0;             ///< steps before, which aren't measured
  std::vector<uint64_t> StepNs;    ///< with what was injected
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_WHATIF_H
