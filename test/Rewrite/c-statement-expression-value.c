/* GNU C: the value of a statement expression can't be a phase. */
/* RUN: %refuse %s %t -std=gnu11 | %diagnostics */
#include <loopscope/annotate.h>
int g(void);

int f(void) {
  return ({ LOOPSCOPE_PHASE("x") g(); });
  /* CHECK: {{.*}}:[[@LINE-1]]:13: error: 'loopscope::phase' covers the value of a statement expression; put the value in a variable first */
}
