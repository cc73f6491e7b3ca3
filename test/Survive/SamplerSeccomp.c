// A program that forbids all its threads to open files goes on, and so does the
// sampler with what it can still read.
// RUN: env SURVIVE_OPTIONS=devices=10ms %survive_c
// What the sampler hadn't begun to record before stays in memory, which the report
// calls missing.
// RUN: { %calls || true; } | FileCheck %s
// CHECK-DAG: {{^}}before,1
// CHECK-DAG: {{^}}after,1
#include "survive.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  struct sock_filter no_files[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {4, no_files};
  PHASE(1, "before");
  usleep(30000);
  END(1);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  long done = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                      SECCOMP_FILTER_FLAG_TSYNC, &filter);
  PHASE(2, "after");
  usleep(100000);
  printf("%ld %d\n", done, fopen("/proc/self/stat", "r") == NULL);
}
