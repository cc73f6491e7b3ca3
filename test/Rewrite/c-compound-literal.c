/* A compound literal lives to the end of its block, annotated or not.
 * RUN: %compare %s %t | %trace
 * RUN: %ctext
 */
#include "work.h"
#include <loopscope/annotate.h>

struct T {
  int v, w;
};

/* Overwrites the place of ended objects. */
static int overwrite(int n) {
  volatile int big[64];
  for (int i = 0; i < 64; ++i)
    big[i] = n;
  return big[3];
}

int main(void) {
  struct T *p, *last = 0;
  int *q = 0;
  LOOPSCOPE_PHASE("a") p = &(struct T){value("one", 1), 0};
  /* CHECK: LOOPSCOPE_PHASE("a") __LOOPSCOPE_SPAN(1, PHASE, "a", [[@LINE-1]], "main"); p = &(struct T){value("one", 1), 0}; __LOOPSCOPE_END(1); */
  {
    volatile int other[64];
    for (int i = 0; i < 64; ++i)
      other[i] = -1;
    overwrite(other[9]);
  }
  LOOPSCOPE_PHASE("b") q = (int[]){value("two", 2), 3}, p->v += 4;
  /* In an if without braces it ends there anyway. */
  if (p)
    LOOPSCOPE_PHASE("c") last = &(struct T){value("three", 3), 0};
  /* CHECK: LOOPSCOPE_PHASE("c") {__LOOPSCOPE_SPAN(3, PHASE, "c", [[@LINE-1]], "main"); last = &(struct T){value("three", 3), 0};} */
  overwrite(-1);
  return value("use", p->v + q[1]) - 8 + (last == 0);
}
/* TRACE: a(one) */
/* TRACE: b(two) */
/* TRACE: c(three) */
/* TRACE: use */
