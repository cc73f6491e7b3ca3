// If no thread can be created (here the kernel refuses) the program runs and is
// profiled, and the profile says why there are no samples.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: not loopscope report --view devices %t.loopscope 2>&1 | FileCheck %s --check-prefix=WHY
// CHECK-DAG: {{^}}work,1000{{$}}
// WHY: the run has no device samples (the sampler's thread could not be started: {{.+}})
#include "survive.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

int main(void) {
  struct sock_filter no_threads[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {5, no_threads};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  puts("done");
}
