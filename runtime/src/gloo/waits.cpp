// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the host waits for an operation: Work::wait, which groups other than
// Gloo's may share, and Gloo's own for messages.

#include "calls.h"

#include <loopscope/profile_format.h>

using namespace loopscope::gloo;

// The last parameter is a std::chrono::milliseconds. Returns a bool, which is
// passed on as it came.
#define LOOPSCOPE_GLOO_WAIT(FUNCTION, NAME, SYMBOL)                            \
  LOOPSCOPE_GLOO_FUNCTION(Word, FUNCTION, SYMBOL, Word, Word);                 \
  Word FUNCTION(Word Work, Word Timeout) {                                     \
    LOOPSCOPE_GLOO_UNWINDS;                                                    \
    static constexpr loopscope_site Site = {                                   \
        LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_WAIT, 0, NAME, "", ""};             \
    auto *Real = LOOPSCOPE_GLOO_REAL(Word (*)(Word, Word), SYMBOL);            \
    Call Around(&Site);                                                        \
    Word Result = Real(Work, Timeout);                                         \
    Around.end();                                                              \
    return Result;                                                             \
  }
#define LOOPSCOPE_GLOO_WAIT_IN(CLASS)                                          \
  "_ZN4c10d" CLASS "4waitENSt6chrono8durationIlSt5ratioILl1ELl1000EEEE"

LOOPSCOPE_GLOO_WAIT(loopscopeWaitForWork, "c10d::Work::wait",
                    LOOPSCOPE_GLOO_WAIT_IN("4Work"))
LOOPSCOPE_GLOO_WAIT(loopscopeWaitForSend, "c10d::SendWork::wait",
                    LOOPSCOPE_GLOO_WAIT_IN("16ProcessGroupGloo8SendWork"))
LOOPSCOPE_GLOO_WAIT(loopscopeWaitForReceive, "c10d::RecvWork::wait",
                    LOOPSCOPE_GLOO_WAIT_IN("16ProcessGroupGloo8RecvWork"))

const char loopscope_gloo_waits = 0;
