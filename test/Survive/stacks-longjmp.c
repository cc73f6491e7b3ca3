// A handler of the program that interrupts the samples' handler and never returns leaves
// nothing behind: no blocked signal, no thread without samples, no other errno. The
// program's timer expires at the same ticks of the kernel, after the samples' timers.
// REQUIRES: long
// RUN: env SURVIVE_OPTIONS=stacks %survive_c
// RUN: loopscope report --view functions --format csv %t.loopscope | FileCheck %s
// RUN: env SURVIVE_OPTIONS=stacks=1000 %survive_c
// RUN: loopscope report --view functions --format csv %t.loopscope | FileCheck %s
// CHECK: "after","main","burn",
#define _GNU_SOURCE
#include "survive.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;
static jmp_buf start; // doesn't restore the mask
static volatile int jumps;

static void leave(int number) {
  jumps += number == SIGVTALRM;
  longjmp(start, 1);
}

__attribute__((noinline)) static void burn(double seconds) {
  for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
       clock() < end;)
    for (int i = 0; i < 1000; ++i)
      sink = sink * 0.999 + 1;
}

int main(void) {
  struct sigaction action = {0};
  action.sa_handler = leave;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGVTALRM, &action, NULL);
  struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  {
    PHASE(1, "jumping");
    errno = ENOTTY;
    setjmp(start);
    if (jumps == 0)
      setitimer(ITIMER_VIRTUAL, &often, NULL);
    while (jumps < ENOUGH(300))
      sink = sink * 0.999 + 1;
    setitimer(ITIMER_VIRTUAL, &never, NULL);
    printf("errno %d\n", errno);
  }
  unsigned long blocked = 0;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof(blocked));
  printf("blocked: %lx\n", blocked);
  {
    PHASE(2, "after");
    burn(ENOUGH(1.0));
  }
}
