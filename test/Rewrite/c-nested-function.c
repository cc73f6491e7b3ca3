/* GNU C: a nested function can't be parsed, and is refused with an error. */
/* RUN: %refuse %s %t -std=gnu11 | %diagnostics */
#include <loopscope/annotate.h>
void work(const char *);

int main(void) {
  void nested(void) { work("a"); }
  /* CHECK: {{.*}}:[[@LINE-1]]:21: error: function definition is not allowed here */
  LOOPSCOPE_PHASE("x") nested();
  /* CHECK: loopscope-rewrite: error: {{.*}}can't be instrumented: {{.*}}nothing was written */
}
