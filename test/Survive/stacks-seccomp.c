// Whichever system call a sandbox refuses, with whatever error: a sampled program
// behaves as it does unsampled, its profile is readable, and if there are no samples a
// line says why. With perf events, which are preferred at this rate, and with timers.
// REQUIRES: long
// RUN: env SURVIVE_OPTIONS=stacks=2000,devices=off %survive_c
// RUN: not grep -v -e "the kernel refuses timers on threads' CPU time" -e "the kernel refuses handlers of signals" -e "are kept in memory" %t.err
// RUN: ls %t.*loopscope | xargs -n 1 loopscope report --view simple --format csv | grep -c '"work"' | %python -c "import sys; sys.exit(int(input()) < 20)"
// RUN: env SURVIVE_OPTIONS=stacks=100,devices=off %survive_c
// RUN: not grep -v -e "the kernel refuses timers on threads' CPU time" -e "the kernel refuses handlers of signals" -e "are kept in memory" %t.err
#define _GNU_SOURCE
#include "survive.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

static void burn(long ns) {
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  double x = 1;
  do {
    for (int i = 0; i < 10000; ++i)
      x = x * 1.0000001 + 1e-9;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < ns);
  sink = x;
}

// Runs for a while with an invalid frame pointer.
__attribute__((noinline)) static void burn_without_frame(void) {
#ifdef __x86_64__
  __asm__ volatile("subq $128, %%rsp\n\tpushq %%rbp\n\tleaq 1048576(%%rsp), %%rbp\n\tandq $-8, %%rbp\n\tmovl $20000000, %%ecx\n1:\n\t"
                   "decl %%ecx\n\tjnz 1b\n\tpopq %%rbp\n\taddq $128, %%rsp" ::
                       : "rcx", "memory", "cc");
#endif
}

static int forbid(unsigned call, unsigned error) {
  struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// Goes on when samples have ended.
__attribute__((destructor(101))) static void burn_at_end(void) { burn(15000000L); }

int main(void) {
  PHASE(2, "main");
  static const unsigned calls[] = {
      SYS_perf_event_open, SYS_ioctl,      SYS_fcntl,         SYS_timer_create, SYS_timer_settime, SYS_timer_delete,
      SYS_clock_getres,    SYS_getrusage,  SYS_rt_sigaction,  SYS_openat,       SYS_getdents64,    SYS_rt_sigprocmask,
      SYS_gettid,          SYS_prlimit64,  SYS_sigaltstack,   SYS_close};
  static const unsigned errors[] = {EPERM, ENOSYS};
  for (unsigned i = 0; i < sizeof(calls) / sizeof(*calls); ++i)
    for (unsigned k = 0; k < 2; ++k) {
      fflush(stdout);
      pid_t child = fork();
      if (child == 0) {
        // At the start, or in the middle; creating a file must work at first.
        int late = k == 1 || calls[i] == SYS_openat;
        int failed = late ? 0 : forbid(calls[i], errors[k]);
        {
          PHASE(1, "work");
          burn(ENOUGH(30000000L));
          if (late)
            failed = forbid(calls[i], errors[k]);
          burn(ENOUGH(30000000L));
          burn_without_frame();
        }
        return failed;
      }
      int status = 0;
      waitpid(child, &status, 0);
      printf("%u %u: %d\n", i, errors[k], status);
    }
}
