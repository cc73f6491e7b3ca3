// Forbids opening files, for this thread or for all.
#ifndef LOOPSCOPE_TEST_SURVIVE_FORBID_FILES_H
#define LOOPSCOPE_TEST_SURVIVE_FORBID_FILES_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// From now on openat fails with EACCES; with SECCOMP_FILTER_FLAG_TSYNC in FLAGS, in all
// threads of the process. Returns 0 or seccomp(2)'s result.
static long forbid_files(unsigned flags) {
  struct sock_filter no_files[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {4, no_files};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

#endif // LOOPSCOPE_TEST_SURVIVE_FORBID_FILES_H
