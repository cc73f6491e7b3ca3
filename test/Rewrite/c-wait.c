/* C: a wait on a function, a statement and a declaration, named or not. */
/* RUN: %compare %s %t --std=c99,c11,c17 --quiet-raw=no | %trace */
/* RUN: %ctext */
#include "work.h"
#include <loopscope/annotate.h>

LOOPSCOPE_WAIT("pop") static int pop(void) { return value("p", 1); }
/* CHECK: LOOPSCOPE_WAIT("pop") static int pop(void) {__LOOPSCOPE_SPAN(1, WAIT, "pop", [[@LINE-1]], "pop"); return value("p", 1); } */

int main(void) {
  LOOPSCOPE_WAIT("join") work("a");
  /* CHECK: LOOPSCOPE_WAIT("join") {__LOOPSCOPE_SPAN(2, WAIT, "join", [[@LINE-1]], "main"); work("a");} */
  work("-");
  LOOPSCOPE_WAIT() int x = pop();
  /* CHECK: LOOPSCOPE_WAIT() __LOOPSCOPE_SPAN(3, WAIT, "wait", [[@LINE-1]], "main"); int x = pop(); __LOOPSCOPE_END(3); */
  return x;
}
/* TRACE: join(a) */
/* TRACE: - */
/* TRACE: wait(pop(p)) */
/* TRACE: exit code 1 */
