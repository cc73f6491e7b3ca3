// Spans without room for their call path make no system call: a program of more than 65,536
// call paths would otherwise be many times slower. They are counted.
// RUN: %survive_c
// RUN: loopscope report %t.loopscope | FileCheck %s
// CHECK: {{[0-9]+}} spans: not recorded: out of memory for call paths.
#include "survive.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t calls;

static void note_call(int number) {
  (void)number;
  ++calls;
}

// Each level doubles the number of call paths.
static void both(int levels) {
  if (levels == 0)
    return;
  {
    PHASE(1, "left");
    both(levels - 1);
  }
  PHASE(2, "right");
  both(levels - 1);
}

static void once(void) { PHASE(3, "once"); }

int main(void) {
  both(17);
  once();
  struct sock_filter trap_masks[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {4, trap_masks};
  signal(SIGSYS, note_call);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
  for (int i = 0; i < 1000; ++i)
    once();
  printf("%ld, %d calls\n", failed, (int)calls);
}
