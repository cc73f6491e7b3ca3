/* One span "work" of one second. */
#include <loopscope/hooks.h>
#include <unistd.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 6, "main");
  sleep(1);
}
