/* C: every way out of a phase closes it. */
/* RUN: %compare %s %t --std=c99,c11 --quiet-raw=no | %trace */
#include "work.h"
#include <loopscope/annotate.h>

static int f(int how) {
  for (int i = 0; i < 2; ++i)
    LOOPSCOPE_PHASE("p") {
      if (how == 0) break;
      if (how == 1) continue;
      if (how == 2) goto out;
      LOOPSCOPE_PHASE("r") return value("v", 3);
    }
  if (how == 0) LOOPSCOPE_PHASE("then") work("t");
  else LOOPSCOPE_PHASE("else") work("e");
out:
  return 0;
}

int main(void) { return f(0) + f(1) + f(2) + f(3); }
/* TRACE: p() */
/* TRACE: then(t) */
/* TRACE: p() */
/* TRACE: p() */
/* TRACE: else(e) */
/* TRACE: p() */
/* TRACE: p(r(v)) */
/* TRACE: exit code 3 */
