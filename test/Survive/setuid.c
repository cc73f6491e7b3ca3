// A program that gives up root's rights does so on every thread, including the
// sampler's, and is still profiled.
// REQUIRES: setpriv
// RUN: env SURVIVE_OPTIONS=devices=10ms %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}before,1{{$}}
// CHECK-DAG: {{^}}after,1{{$}}
#include "survive.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether any thread of the process still has root's user id. */
static int any_root(void) {
  int found = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *each; (each = readdir(tasks)) != NULL;) {
    char path[300], line[200];
    snprintf(path, sizeof path, "/proc/self/task/%s/status", each->d_name);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
      found |= strncmp(line, "Uid:\t0", 6) == 0;
    if (file != NULL)
      fclose(file);
  }
  closedir(tasks);
  return found;
}

int main(void) {
  {
    PHASE(1, "before");
    usleep(50000);
    printf("%d\n", any_root());
  }
  PHASE(2, "after");
  int failed = setgid(65534) | setuid(65534);
  usleep(50000);
  printf("%d %d %d\n", failed, (int)getuid(), any_root());
}
