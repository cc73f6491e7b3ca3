// A program that forbids itself to read its processor time, its faults or /proc
// continues without them, and the footer says so once.
// RUN: env SURVIVE_OPTIONS=cpu=on %survive_c
// RUN: count 0 < %t.err
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}before,20{{$}}
// CHECK-DAG: {{^}}faultless,20{{$}}
// CHECK-DAG: {{^}}without,20{{$}}
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=TOLD
// TOLD-DAG: {{^}}1 run: without CPU time from some moment on: the kernel refused it (seccomp).{{$}}
// TOLD-DAG: {{^}}1 run: without page faults and switches from some moment on: the kernel refused them (seccomp).{{$}}
// TOLD-DAG: {{^}}1 run: without the time on the run queue from some moment on: /proc/thread-self/schedstat can't be read.{{$}}
// Earlier measurements stay.
// RUN: loopscope report --view simple --format csv %t.loopscope | %python %S/Inputs/has_cpu.py before faultless -without
#include "forbid_files.h"
#include "survive.h"
#include <stdio.h>
#include <time.h>

#ifndef REFUSAL
#define REFUSAL (SECCOMP_RET_ERRNO | EPERM)
#endif

// From now on CALL fails with EPERM, or kills.
static long forbid(unsigned call) {
  struct sock_filter no_call[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, REFUSAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {4, no_call};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

static void work(void) {
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do
    clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec -
             start.tv_nsec <
         25000000L);
}

int main(void) {
  for (int i = 0; i < 20; ++i) {
    PHASE(1, "before");
    work();
  }
  errno = 0;
  long failed = forbid_files(0) | forbid(SYS_getrusage);
  for (int i = 0; i < 20; ++i) {
    PHASE(2, "faultless");
    work();
  }
  failed |= forbid(SYS_clock_gettime);
  for (int i = 0; i < 20; ++i) {
    PHASE(3, "without");
    work();
  }
  printf("%ld %d\n", failed, errno);
}
