// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the core calls, and the words of LOOPSCOPE=.

#include "extension.h"

#include "captures.h"
#include "experiments.h"
#include "phases.h"

#include "process/options.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
bool parseAll(char * /*Value*/, Options & /*Core*/, Text & /*Message*/) {
  WhatifWanted.IsOn = true;
  return true;
}

bool parseName(char *Value, Options & /*Core*/, Text &Message) {
  WhatifSettings &W = WhatifWanted;
  W.IsOn = true;
  if (W.NameCount == WhatifSettings::MaxNames) {
    Message << "LOOPSCOPE: 'whatif' takes at most "
            << int64_t(WhatifSettings::MaxNames) << " names";
    return false;
  }
  return copyValue(W.Names[W.NameCount++], sizeof(W.Names[0]), Value, "whatif",
                   Message);
}

bool parsePercent(char *Value, Options & /*Core*/, Text &Message) {
  int64_t Percent = 0;
  if (!parseNumber(Value, Percent) || Percent < 5 || Percent > 50) {
    Message << "LOOPSCOPE: 'whatif-percent' takes a number from 5 to 50, the "
               "percentage by which a phase is lengthened";
    return false;
  }
  WhatifWanted.Percent = static_cast<uint32_t>(Percent);
  return true;
}

bool parseRank(char *Value, Options & /*Core*/, Text &Message) {
  int64_t Rank = 0;
  if (!parseNumber(Value, Rank) || Rank > INT32_MAX) {
    Message << "LOOPSCOPE: 'whatif-rank' takes the number of a rank";
    return false;
  }
  WhatifWanted.Rank = static_cast<int32_t>(Rank);
  return true;
}

void reset() {
  resetExperiments();
  resetCaptures();
}

constexpr OptionWord Words[] = {{"whatif", parseAll},
                                {"whatif=NAME", parseName},
                                {"whatif-percent=5..50", parsePercent},
                                {"whatif-rank=N", parseRank}};
} // namespace

const Extension loopscope::runtime::WhatifExtension = {
    .Name = "whatif",
    .CostKey = LOOPSCOPE_SUM_COST "whatif",
    .Words = Words,
    .Start = registerExperiments,
    .ProfileMade = startExperiments,
    .NewCallPath = considerPath,
    .StepEnded = countStep,
    .MarkedBegins = beginLengthened,
    .MarkedLeft = endLengthened,
    .CaptureBegins = beginCapture,
    .CaptureEnds = endCapture,
    .ChildOfFork = reset,
};
