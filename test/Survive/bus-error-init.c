// A SIGBUS that is sent to process 1 of a container is ignored, as the kernel does where
// the action is the default; its own fault ends it.
// REQUIRES: mount
// RUN: env SURVIVE_RUN='unshare -pf --kill-child "$@"' %survive_c
// RUN: env SURVIVE_RUN='unshare -pf --kill-child "$@"' %survive_c -DFAULT
#include "survive.h"
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  PHASE(1, "work");
  kill(getpid(), SIGBUS);
  printf("process %d goes on\n", getpid());
  fflush(stdout);
#ifdef FAULT
  char *pages = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(tmpfile()), 0);
  pages[0] = 1;
#endif
  return 0;
}
