/* A span in a process and one in its child. */
#include <loopscope/hooks.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  {
    LOOPSCOPE_SPAN_(1, PHASE, "work", 8, "main");
  }
  pid_t child = fork();
  if (child == 0) {
    LOOPSCOPE_SPAN_(2, PHASE, "child", 12, "main");
    return 0;
  }
  waitpid(child, NULL, 0);
  return 0;
}
