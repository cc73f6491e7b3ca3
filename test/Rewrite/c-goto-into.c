/* C: a jump into a phase is refused, though gcc would take it. */
/* RUN: %refuse %s %t | %diagnostics */
#include <loopscope/annotate.h>
void work(const char *);

void f(int n) {
  if (n) goto in;
  LOOPSCOPE_PHASE("x") {
    /* CHECK: {{.*}}:[[@LINE-1]]:3: error: a goto or case label jumps into the code that 'loopscope::phase' covers */
    work("a");
  in:
    work("b");
  }
  if (n) goto past;
  LOOPSCOPE_PHASE("y") int v = n;
  /* CHECK: {{.*}}:[[@LINE-1]]:3: error: a goto or case label jumps into the code that 'loopscope::phase' covers */
past:
  v = 0;
  (void)v;
}
