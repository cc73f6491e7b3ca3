/* GNU C: phases in statement expressions, but for the last statement: that is their value. */
/* RUN: %compare %s %t --std=gnu11 --quiet-raw=no --no-warnings | %trace */
#include "work.h"
#include <loopscope/annotate.h>

int main(void) {
  int x = ({
    LOOPSCOPE_PHASE("in") work("a");
    value("v", 2);
  });
  return x;
}
/* TRACE: in(a) */
/* TRACE: v */
/* TRACE: exit code 2 */
