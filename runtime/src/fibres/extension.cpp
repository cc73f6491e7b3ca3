// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of loopscope.h for fibres.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "extension.h"

#include "base/objects.h"
#include "process/attach.h"
#include "process/process.h"
#include "tree/fibres.h"
#include "tree/slow_path.h"

#include <errno.h>

using namespace loopscope::runtime;

namespace {
// For the copy of the runtime that records.
uint64_t takeSwitch(uint64_t Fibre, bool Ends) {
  int Saved = errno;
  uint64_t Before = 0;
  if (startRuntime())
    if (SlowPath Path; Path) {
      Thread *T = attachThread();
      if (T != nullptr && Ends)
        endFibre(T, Fibre);
      else if (T != nullptr)
        Before = switchFibre(T, Fibre);
    }
  errno = Saved;
  return Before;
}

EntryPoint entry() { return reinterpret_cast<EntryPoint>(takeSwitch); }
} // namespace

__attribute__((weak)) uint64_t loopscope_fibre_switch(uint64_t Fibre) noexcept {
  return callInRecorder(FibresExtension.Name, takeSwitch, Fibre, false);
}

__attribute__((weak)) void loopscope_fibre_end(uint64_t Fibre) noexcept {
  if (Fibre != 0)
    callInRecorder(FibresExtension.Name, takeSwitch, Fibre, true);
}

const Extension loopscope::runtime::FibresExtension = {
    .Name = "fibres",
    .Words = {},
    .Start = registerFibreCounters,
    .ChildOfFork = resetFibres,
    .Entry = entry,
};
