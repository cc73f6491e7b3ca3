// A forked child has no sampler before its first hook, and its own one afterwards;
// forking in the middle of a sample is safe.
// RUN: env SURVIVE_OPTIONS=devices=10ms SURVIVE_RUN='timeout 60 "$1"' %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}parent,1{{$}}
#include "survive.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int threads(void) {
  int count = -2; // . and ..
  DIR *tasks = opendir("/proc/self/task");
  while (tasks != NULL && readdir(tasks) != NULL)
    ++count;
  if (tasks != NULL)
    closedir(tasks);
  return count;
}

int main(void) {
  PHASE(1, "parent");
  for (int i = 0; i < 40; ++i) {
    pid_t child = fork();
    if (child == 0) {
      int before = threads();
      PHASE(2, "child");
      usleep(i % 4 * 10000);
      END(2);
      exit(before == 1 ? 7 : 8);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
  }
}
