// A program's own signal handlers and ignored signals stay in effect, whether set before
// or after its first phase.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}work,3{{$}}
#include "survive.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void handler(int number) {
  char digit = (char)('0' + number % 10);
  if (write(1, &digit, 1) != 1)
    _exit(9);
  if (number == SIGSEGV)
    _exit(7);
}

int main(void) {
  signal(SIGTERM, handler);
  signal(SIGHUP, SIG_IGN);
  for (int i = 0; i < 3; ++i) {
    PHASE(1, "work");
    raise(SIGTERM);
    raise(SIGHUP);
    signal(SIGINT, i == 1 ? SIG_IGN : handler);
    raise(SIGINT);
  }
  signal(SIGSEGV, handler);
  raise(SIGSEGV);
}
