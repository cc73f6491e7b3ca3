/* C: declarators, arrays of variable length, compound literals, and a for's own declaration. */
/* RUN: %compare %s %t --std=c99,c17 --quiet-raw=no | %trace */
#include "work.h"
#include <loopscope/annotate.h>

struct point { int x, y; };

int main(void) {
  LOOPSCOPE_PHASE("two") int a = value("a", 1), b = value("b", 2);
  LOOPSCOPE_PHASE("vla") int array[value("n", 2)];
  LOOPSCOPE_PHASE("struct") struct point p = {value("c", 3), .y = 4};
  LOOPSCOPE_PHASE("static") static int s = 5;
  LOOPSCOPE_PHASE("const") const char *const text = "t";
  array[0] = a + b;
  LOOPSCOPE_PHASE("loop") for (int i = 0; i < 1; ++i) array[0] += p.x + p.y;
  return array[0] + s + (text[0] == 't');
}
/* TRACE: two(a b) */
/* TRACE: ~vla(n) */
/* TRACE: ~struct(c) */
/* TRACE: ~static() */
/* TRACE: ~const() */
/* TRACE: loop() */
/* TRACE: exit code 16 */
