// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of uses.

#include "Run/Model/HostTimes.h"

#include "Run/Model/Run.h"

using namespace loopscope;

int64_t HostUse::known() const {
  int64_t Sum = 0;
  for (int64_t Each : {Computing, Faulting, Starved, Waiting})
    Sum = saturatingAdd(Sum, Each);
  return Sum;
}

int64_t HostUse::all() const { return saturatingAdd(known(), Unknown); }

void HostUse::add(const HostUse &Other) {
  for (int64_t HostUse::*Each :
       {&HostUse::Computing, &HostUse::Faulting, &HostUse::Starved,
        &HostUse::Waiting, &HostUse::BesideThreads, &HostUse::MaybeReady,
        &HostUse::Unknown})
    this->*Each = saturatingAdd(this->*Each, Other.*Each);
}

void HostTime::add(const HostTime &Other) {
  IsSum = true;
  addSaturating(OwnNs, Other.OwnNs);
  Cpu.add(Other.Cpu);
  Use.add(Other.Use);
  for (size_t I = 0; I < TimeUseCount; ++I)
    addSaturating(Uses[I], Other.Uses[I]);
}
