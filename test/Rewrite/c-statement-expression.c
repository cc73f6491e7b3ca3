/* GNU C: phases in statement expressions, except on the last statement, which is their value. */
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
