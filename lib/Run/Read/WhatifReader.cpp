// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every number of a block.

#include "Run/Read/WhatifReader.h"

using namespace loopscope;

std::vector<WhatifBlock>
loopscope::readWhatif(ProfileBytes &Records, const Clock &Ticks,
                      const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                      Integrity &Lost) {
  auto Ns = [&](uint64_t T) { return static_cast<uint64_t>(Ticks.toNs(T)); };
  std::vector<WhatifBlock> Result;
  for (const auto &Record : Records.whatifBlocks()) {
    const loopscope_whatif_block &B = Record.Value;
    if (B.state == LOOPSCOPE_WHATIF_RUNNING ||
        B.state == LOOPSCOPE_WHATIF_DROPPED)
      continue;
    auto Phase = NodeOf.find(B.phase);
    auto Loop = NodeOf.find(B.loop);
    if (B.state != LOOPSCOPE_WHATIF_COMPLETE || Loop == NodeOf.end() ||
        (B.phase != LOOPSCOPE_NONE && Phase == NodeOf.end()) || B.steps == 0 ||
        B.steps > LOOPSCOPE_WHATIF_STEPS) {
      ++Lost.BadRecords;
      continue;
    }
    WhatifBlock Next;
    Next.Phase = B.phase == LOOPSCOPE_NONE ? LOOPSCOPE_NONE : Phase->second;
    Next.Loop = Loop->second;
    Next.InjectedNs = Ns(B.injected_ticks);
    Next.PhaseNs = Ns(B.phase_ticks);
    Next.Spans = B.spans;
    Next.Lengthened = B.lengthened;
    Next.Threads = B.threads;
    Next.BurnIn = B.burn_in;
    for (uint32_t I = 0; I < B.steps; ++I)
      Next.StepNs.push_back(Ns(B.step_ticks[I]));
    Result.push_back(std::move(Next));
  }
  return Result;
}
