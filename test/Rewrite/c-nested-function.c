/* GNU C: a nested function can't be parsed: refused loudly. */
/* RUN: %refuse %s %t -std=gnu11 | %diagnostics */
#include <loopscope/annotate.h>
void work(const char *);

int main(void) {
  void nested(void) { work("a"); }
  /* CHECK: {{.*}}:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}} */
  LOOPSCOPE_PHASE("x") nested();
  /* CHECK: {{.*}}annotat{{.*}} */
}
