// If the kernel refuses perf events, timers are used; if it refuses both, or the program
// takes libc's signal 33 by system calls, there are no samples, a line says why, and the
// program continues.
// RUN: env SURVIVE_OPTIONS=stacks SURVIVE_RUN='"$@" kernel' %survive_c
// RUN: FileCheck %s --check-prefix=KERNEL --input-file=%t.err
// KERNEL: loopscope: LOOPSCOPE=stacks: the kernel refuses timers on threads' CPU time ({{.*}}); some or all threads have no samples
// KERNEL-NOT: {{.}}
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=REFUSED
// REFUSED: {{^}}1 run: in which some or all threads have no samples: the kernel refused timers on their CPU time, or handlers of signals (seccomp, RLIMIT_SIGPENDING).{{$}}
// RUN: env SURVIVE_OPTIONS=stacks SURVIVE_RUN='"$@" signals' %survive_c
// RUN: count 0 < %t.err
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=TAKEN
// TAKEN: {{^}}1 run: without samples from some moment on: the program handles signal 33, which is libc's own, by system calls.{{$}}

// RUN: env SURVIVE_OPTIONS=stacks=2000 SURVIVE_RUN='"$@" perf' %survive_c
// RUN: count 0 < %t.err
// RUN: loopscope report --view functions --format csv %t.loopscope | grep -q '"burn"'
#define _GNU_SOURCE
#include "survive.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;
static void take(void (*handler)(int)) {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*end)(void);
    unsigned long mask;
  } action = {handler, 0, NULL, 0};
  syscall(SYS_rt_sigaction, 33, &action, NULL, sizeof(action.mask));
}

__attribute__((noinline)) static void burn(void) {
  double x = 1;
  clock_t end = clock() + CLOCKS_PER_SEC / 5;
  // A virtual machine may charge it with time that others took.
  for (int turns = 0; turns < 20000 || clock() < end; ++turns)
    for (int i = 0; i < 1000; ++i)
      x = x * 1.0000001 + 1e-9;
  sink = x;
}

// Forbids perf events and, with ALL, timers.
static int forbid(int all) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_create, all ? 0 : 1, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  if (!strcmp(how, "kernel") || !strcmp(how, "perf"))
    printf("%d\n", forbid(!strcmp(how, "kernel")));
  PHASE(1, "work");
  burn();
  if (!strcmp(how, "signals")) {
    take(SIG_IGN);
    usleep(300000); // until the next round
    burn();
  }
  printf("done\n");
}
