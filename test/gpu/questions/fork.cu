// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that has hooks but hasn't used CUDA forks, and parent and child use
// CUDA. Later, with CUDA in use, it forks children that don't.

#include "question.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void inChild() { compute(10000); }
__global__ void inParent() { compute(10000); }

static int statusOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

int main() {
  LOOPSCOPE_PHASE("before") std::printf("starts\n");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    LOOPSCOPE_PHASE("child")
    for (int i = 0; i < 200; ++i)
      inChild<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    std::exit(7);
  }
  LOOPSCOPE_PHASE("parent")
  for (int i = 0; i < 100; ++i)
    inParent<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  std::printf("child's status %d\n", statusOf(child));
  std::fflush(stdout);
  const pid_t quick = fork();
  if (quick == 0)
    _exit(3);
  const pid_t whole = fork();
  if (whole == 0)
    std::exit(4);
  std::printf("statuses %d %d\n", statusOf(quick), statusOf(whole));
  LOOPSCOPE_PHASE("parent") inParent<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  std::printf("kernel inParent 101\n");
}
