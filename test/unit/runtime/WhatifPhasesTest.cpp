// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which call paths what-if experiments lengthen.

#include "Fixture.h"

#include "profile/node_links.h"
#include "whatif/phases.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
class WhatifPhasesTest : public RuntimeTest {
protected:
  WhatifPhasesTest() {
    registerPhases();
    allowExperiments(true);
  }
  ~WhatifPhasesTest() override {
    allowExperiments(false);
    WhatifWanted = {};
  }

  // The paths whose spans are lengthened.
  static std::vector<std::string> lengthened() {
    std::vector<std::string> Result;
    for (const auto &[Path, N] : nodes())
      if (isMarked(N))
        Result.push_back(Path);
    return Result;
  }
};
} // namespace

// A lengthened span includes those below it, so a recursive phase is lengthened
// as a whole.
TEST_F(WhatifPhasesTest, ANamedPhaseIsLengthenedOutermost) {
  strcpy(WhatifWanted.Names[0], "f");
  WhatifWanted.NameCount = 1;
  loopscope_token A = loopscope_enter(site("a"));
  loopscope_token F = loopscope_enter(site("f"));
  loopscope_token G = loopscope_enter(site("g"));
  loopscope_leave(loopscope_enter(site("f")));
  loopscope_leave(G);
  loopscope_leave(F);
  loopscope_leave(A);
  EXPECT_EQ(lengthened(), std::vector<std::string>{"a/f"});
}
