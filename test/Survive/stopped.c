// A program that was stopped and continued keeps counting.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}work,6{{$}}
#include "survive.h"
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t self = getpid();
  for (int i = 0; i < 6; ++i) {
    PHASE(1, "work");
    if (i == 3 && fork() == 0) {
      usleep(30000);
      kill(self, SIGCONT);
      _exit(0);
    }
    if (i == 3)
      kill(self, SIGSTOP);
  }
  wait(NULL);
  puts("done");
}
