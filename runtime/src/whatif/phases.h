// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases that are tried, and how their spans are lengthened. A phase is a
// place in the source: its spans on all threads are lengthened together, one
// phase at a time, where they end.

#ifndef LOOPSCOPE_RUNTIME_SRC_WHATIF_PHASES_H
#define LOOPSCOPE_RUNTIME_SRC_WHATIF_PHASES_H

#include "core/extension.h"

namespace loopscope::runtime {

/// What LOOPSCOPE= asks of the room.
struct WhatifSettings {
  static constexpr uint32_t MaxNames = 16;
  bool IsOn = false;
  uint32_t NameCount = 0; ///< 0: the phases below steps and other threads'
  char Names[MaxNames][64] = {};
  uint32_t Percent = 15; ///< of a span's time, by which it is lengthened
  int32_t Rank = 0;      ///< of several, the one that injects
};
/// Constant after start-up.
extern WhatifSettings WhatifWanted;

constexpr uint32_t MaxPhases = 32;
constexpr uint32_t NoPhase = MaxPhases;

/// Whether this process makes experiments; set when it starts.
void registerPhases();
void allowExperiments(bool Allowed);
bool areExperimentsAllowed();

/// NewCallPath, LengthenedBegins and LengthenedEnded of Extension.
uint64_t considerPath(Node *N);
uint64_t beginLengthened(Node *N, uint64_t Now);
void endLengthened(Thread *T, Node *N);

/// Phases so far; they are numbered from 0. And the first node of one.
uint32_t countPhases();
const Node *nodeOfPhase(uint32_t Phase);

/// From now on, PHASE is lengthened, or none.
void lengthen(uint32_t Phase);
/// From now on, what is injected is added to BLOCK; null: to none.
void addInjectedTo(loopscope_whatif_block *Block);
/// What was injected on the calling thread since the last call, in ticks.
uint64_t takeInjected();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_WHATIF_PHASES_H
