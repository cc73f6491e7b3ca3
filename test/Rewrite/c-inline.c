/* C: functions with inline, static inline and extern inline linkage hold hooks. */
/* RUN: %compare %s %t --std=c99,c11 --quiet-raw=no | %trace */
#include "work.h"
#include <loopscope/annotate.h>

LOOPSCOPE_PHASE("si") static inline void si(void) { work("a"); }
LOOPSCOPE_PHASE("ei") extern inline void ei(void) { LOOPSCOPE_PHASE("in") work("b"); }
void ei(void);

int main(void) {
  si();
  ei();
}
/* TRACE: si(a) */
/* TRACE: ei(~in(b)) */
