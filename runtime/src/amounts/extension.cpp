// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of amounts, and LOOPSCOPE=peak=.

#include "extension.h"

#include "process/options.h"
#include "profile/sums.h"
#include "tree/slow_path.h"

#include <loopscope/flops_text.h>
#include <loopscope/named_losses.h>
#include <loopscope/profile_format.h>
#include <loopscope/run_settings.h>

using namespace loopscope;
using namespace loopscope::runtime;

namespace {
struct AmountsState {
  struct {
    SumId All = NotRegistered;
    SumId Last = NotRegistered;
  } Sums[SpanAmountCount];
  uint64_t PeakFlops = 0; // operations per second; 0: not given
};
constinit AmountsState State;

bool parsePeak(char *Value, Options & /*Core*/, Text &Message) {
  if (parseFlops(Value, State.PeakFlops))
    return true;
  Message << "LOOPSCOPE: 'peak' takes floating-point operations a second, with "
             "K, M, G, T, P or E for the powers of 1000: peak=989T";
  return false;
}

constexpr OptionWord Words[] = {
    {"peak=FLOPS", parsePeak},
};

void start() {
  for (const SpanAmountRow &Row : SpanAmounts)
    State.Sums[static_cast<uint32_t>(Row.Which)] = {
        registerSum(Row.Sum, LOOPSCOPE_SUM_REAL),
        registerSum(Row.Last, LOOPSCOPE_SUM_REAL)};
  registerCounter(LOOPSCOPE_COUNT_BAD_AMOUNTS);
  keepSetting(LOOPSCOPE_SETTING_FLOPS_PEAK, State.PeakFlops);
}

// The last span's number first: after a kill between the two stores, a reader
// doesn't take the sum for that of finished spans.
template <SpanAmount Which> void said(Node *N, double Amount) {
  constexpr double Most = 1e300;
  if (!(Amount >= 0 && Amount < Most)) {
    addToCounter(LOOPSCOPE_COUNT_BAD_AMOUNTS, 1);
    return;
  }
  const auto &[All, Last] = State.Sums[static_cast<uint32_t>(Which)];
  SlowPath Path(false);
  if (Path && setReal(Last, N->index, Amount))
    addReal(All, N->index, Amount);
}
} // namespace

const Extension runtime::AmountsExtension = {
    .Name = "amounts",
    .Words = Words,
    .Start = start,
    .SpanAmountSaid =
        {
#define AMOUNT(NAME, IDENTIFIER, NOUN) said<SpanAmount::IDENTIFIER>,
            __LOOPSCOPE_AMOUNTS(AMOUNT)
#undef AMOUNT
        },
};
