// SIGBUS that has nothing to do with the profile does what it does in a plain program: sent
// by anybody or raised by the program's own mapping, with the default action, ignored, with
// a handler that the program installs before or after its first hook (and which then sees
// the default before it), on a thread that waits for it, in a forked child.
// RUN: %survive_c -DCASE=0
// RUN: %survive_c -DCASE=1
// RUN: %survive_c -DCASE=2
// RUN: %survive_c -DCASE=3
// RUN: %survive_c -DCASE=4
// RUN: %survive_c -DCASE=5
// RUN: %survive_c -DCASE=6
// RUN: %survive_c -DCASE=7
// RUN: %survive_c -DCASE=8
// RUN: count 0 < %t.err
#include "survive.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void fault(void) {
  char *pages = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(tmpfile()), 0);
  pages[0] = 1;
}

static void seen(int number, siginfo_t *info, void *context) {
  (void)context;
  char text[64];
  int size = snprintf(text, sizeof(text), "handler: %d, sent %d\n", number, info->si_code <= 0);
  _exit(write(1, text, (size_t)size) == size ? 3 : 4);
}

static void install(void) {
  struct sigaction action = {.sa_sigaction = seen, .sa_flags = SA_SIGINFO};
  sigaction(SIGBUS, &action, NULL);
}

int main(void) {
  if (CASE == 2 || CASE == 3)
    install();
  if (CASE == 4)
    signal(SIGBUS, SIG_IGN);
  {
    PHASE(1, "first");
  }
  if (CASE == 7) {
    // Process-directed, while every thread of the program blocks it.
    sigset_t set;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGBUS);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    usleep(1000);
    kill(getpid(), SIGBUS);
    usleep(20000);
    sigwait(&set, &number);
    printf("waited for %d\n", number);
    return 0;
  }
  if (CASE == 5 || CASE == 8)
    install();
  if (CASE == 6) {
    int status = 0;
    pid_t child = fork();
    if (child == 0)
      fault();
    waitpid(child, &status, 0);
    printf("child: %d\n", WTERMSIG(status));
    return 0;
  }
  PHASE(2, "second");
  if (CASE == 0 || CASE == 2 || CASE == 4 || CASE == 8)
    raise(SIGBUS);
  else
    fault();
  return 0;
}
