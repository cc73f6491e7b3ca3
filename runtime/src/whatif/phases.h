// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases to try, and how their spans are lengthened. A phase is a place in
// the source: its spans on all threads are lengthened together, at their ends,
// one phase at a time.

#ifndef LOOPSCOPE_RUNTIME_SRC_WHATIF_PHASES_H
#define LOOPSCOPE_RUNTIME_SRC_WHATIF_PHASES_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Settings from LOOPSCOPE=.
struct WhatifSettings {
  static constexpr uint32_t MaxNames = 16;
  bool IsOn = false;
  uint32_t NameCount = 0; ///< 0: the phases below steps, and other threads'
  char Names[MaxNames][64] = {};
  uint32_t Percent = 15; ///< lengthening, relative to a span's time
  int32_t Rank = 0;      ///< the rank that injects, if there are several
};
/// Constant after start-up.
extern WhatifSettings WhatifWanted;

constexpr uint32_t MaxPhases = 32;
constexpr uint32_t NoPhase = MaxPhases;

/// Whether this process runs experiments; set at start-up.
void registerPhases();
void allowExperiments(bool Allowed);
bool areExperimentsAllowed();

/// NewCallPath, MarkedBegins and MarkedLeft of Extension.
uint64_t considerPath(Node *N);
uint64_t beginLengthened(Node *N, uint64_t Now);
void endLengthened(Thread *T, Node *N);

/// The number of phases so far, which are numbered from 0; and the first node
/// of a phase.
uint32_t countPhases();
const Node *nodeOfPhase(uint32_t Phase);

/// Lengthens PHASE from now on, or none.
void lengthen(uint32_t Phase);
/// Adds injected time to BLOCK from now on; null: to none.
void addInjectedTo(loopscope_whatif_block *Block);
/// The ticks injected on the calling thread since the last call.
uint64_t takeInjected();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_WHATIF_PHASES_H
