/* One span in a process and one in its child. */
#include <loopscope/hooks.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  {
    __LOOPSCOPE_SPAN(1, PHASE, "work", 8, "main");
  }
  pid_t child = fork();
  if (child == 0) {
    __LOOPSCOPE_SPAN(2, PHASE, "child", 12, "main");
    return 0;
  }
  waitpid(child, NULL, 0);
  return 0;
}
