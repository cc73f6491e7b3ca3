/* One span "work", a line on stdout, exit code 3. */
#include <loopscope/hooks.h>
#include <stdio.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 6, "main");
  printf("the program's own output\n");
  return 3;
}
