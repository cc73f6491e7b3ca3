// A program that becomes a daemon (fork, a session of its own, another directory, no
// descriptors, a umask that allows nothing), and then replaces itself: every process has a
// profile of its own beside the first, and the descriptors are the program's alone.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK: {{^}}before,2{{$}}
// RUN: loopscope report --format csv %t.2.loopscope | FileCheck %s --check-prefix=DAEMON --implicit-check-not=before
// DAEMON: "in daemon",{{.*}},3,
// RUN: loopscope report --format csv %t.3.loopscope | FileCheck %s --check-prefix=AGAIN --implicit-check-not=daemon
// AGAIN: "again",{{.*}},1,
#define _GNU_SOURCE
#include "survive.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void in_daemon(void) { PHASE(1, "in daemon"); }

int main(int count, char **arguments) {
  char text[100] = "";
  int ends[2];
  if (count > 2) {
    {
      PHASE(2, "again");
    }
    int length = sprintf(text, "again %d\n", open("/dev/null", O_RDONLY));
    return write(200, text, length) == length ? 0 : 1;
  }
  {
    PHASE(3, "before");
  }
  if (pipe(ends) != 0)
    return 1;
  fflush(stdout);
  if (fork() == 0) {
    if (daemon(0, 0) != 0)
      _exit(1);
    in_daemon();
    umask(0777);
    dup2(ends[1], 200);
    close_range(0, 199, 0);
    close_range(201, ~0U, 0);
    usleep(100000);
    in_daemon();
    in_daemon();
    char *again[] = {arguments[0], arguments[1], "again", NULL};
    int length = sprintf(text, "leads %d, next %d\n", getsid(0) == getpid(),
                         open("/dev/null", O_RDONLY));
    if (write(200, text, length) == length) {
      close(0);
      execv("/proc/self/exe", again);
    }
    _exit(1);
  }
  close(ends[1]);
  for (ssize_t got; (got = read(ends[0], text, sizeof(text))) > 0;)
    fwrite(text, 1, (size_t)got, stdout);
  PHASE(4, "before");
  puts("ended");
}
