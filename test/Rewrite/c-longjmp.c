/* C: longjmp out of phases leaves them to the next leave of a span around them. */
/* RUN: %compare %s %t --std=c11 --quiet-raw=no --no-warnings | %trace */
#include "work.h"
#include <loopscope/annotate.h>
#include <setjmp.h>

static jmp_buf place;

LOOPSCOPE_PHASE("deep") static void deep(void) {
  work("a");
  longjmp(place, 1);
}

int main(void) {
  LOOPSCOPE_PHASE("outer") {
    if (!setjmp(place)) {
      LOOPSCOPE_PHASE("inner") deep();
    }
    work("b");
  }
  work("c");
}
/* TRACE: outer(inner(deep(a b)!)!) */
/* TRACE: c */
