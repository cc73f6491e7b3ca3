// A program that forbids itself to open files keeps what comes after that in
// memory, and one line gives the reason.
// RUN: env SURVIVE_OPTIONS=devices=off %survive_c
// RUN: count 1 < %t.err
// RUN: FileCheck %s --input-file=%t.err
// CHECK: loopscope: the profile {{.*}} cannot grow: permission denied; new call paths are kept in memory
#include "survive.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void down(int levels) {
  PHASE(1, "work");
  if (levels > 0)
    down(levels - 1);
}

int main(void) {
  struct sock_filter no_files[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {4, no_files};
  down(0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
  down(2000);
  puts("done");
}
