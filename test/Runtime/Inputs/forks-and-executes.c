/* A shell's way to start a program: a child with a span executes this program again. */
#include <loopscope/hooks.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  {
    __LOOPSCOPE_SPAN(1, PHASE, "work", 8, "main");
  }
  if (argc > 1)
    return 0;
  if (fork() == 0) {
    {
      __LOOPSCOPE_SPAN(2, PHASE, "child", 14, "main");
    }
    execl(argv[0], argv[0], "again", (char *)NULL);
    _exit(1);
  }
  int status;
  wait(&status);
  return WEXITSTATUS(status);
}
