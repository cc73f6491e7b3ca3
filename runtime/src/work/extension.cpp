// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point operations, and LOOPSCOPE=peak=.

#include "extension.h"

#include "process/options.h"
#include "profile/sums.h"
#include "tree/slow_path.h"

#include <loopscope/flops_text.h>
#include <loopscope/named_losses.h>
#include <loopscope/profile_format.h>
#include <loopscope/run_settings.h>

using namespace loopscope::runtime;

namespace {
struct WorkState {
  SumId Flops = NotRegistered;
  SumId Last = NotRegistered;
  uint64_t PeakFlops = 0; // operations per second; 0: not given
};
constinit WorkState State;

bool parsePeak(char *Value, Options & /*Core*/, Text &Message) {
  if (loopscope::parseFlops(Value, State.PeakFlops))
    return true;
  Message << "LOOPSCOPE: 'peak' takes floating-point operations a second, with "
             "K, M, G, T, P or E for the powers of 1000: peak=989T";
  return false;
}

constexpr OptionWord Words[] = {
    {"peak=FLOPS", parsePeak},
};

void start() {
  State.Flops = registerSum(LOOPSCOPE_SUM_WORK_FLOPS, LOOPSCOPE_SUM_REAL);
  State.Last = registerSum(LOOPSCOPE_SUM_WORK_LAST, LOOPSCOPE_SUM_REAL);
  registerCounter(LOOPSCOPE_COUNT_WORK_BAD);
  keepSetting(LOOPSCOPE_SETTING_WORK_PEAK, State.PeakFlops);
}

// The last span's number first: after a kill between the two stores, a reader
// doesn't take the operations for those of a finished span.
void said(Node *N, double Flops) {
  constexpr double Most = 1e300;
  if (!(Flops >= 0 && Flops < Most)) {
    addToCounter(LOOPSCOPE_COUNT_WORK_BAD, 1);
    return;
  }
  SlowPath Path(false);
  if (Path && setReal(State.Last, N->index, Flops))
    addReal(State.Flops, N->index, Flops);
}
} // namespace

const Extension loopscope::runtime::WorkExtension = {
    .Name = "work",
    .Words = Words,
    .Start = start,
    .FlopsSaid = said,
};
