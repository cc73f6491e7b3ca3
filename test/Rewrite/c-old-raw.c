/* Raw attributes before C23: the tool reads them, gcc doesn't; gcc accepts the blanked copy. */
/* RUN: loopscope-rewrite %s -o %t.c -- -std=c11 */
/* RUN: %ctext */
/* RUN: not %gcc -std=c11 -fsyntax-only %s */
/* RUN: %gcc -std=c11 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %runtime_include %t.c */

int f(void);
int main(void) {
  [[loopscope::phase("x")]] f();
  /* CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "x", [[@LINE-1]], "main"); f();} */
  return 0;
}
