// Every signal has its default action, whoever asks: programs and libraries (Python, Rust)
// install their handlers only then.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}work,1{{$}}
#include "survive.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void save(int number) {
  (void)number;
  if (write(1, "saved the model\n", 16) == 16)
    _exit(0);
}

int main(void) {
  {
    PHASE(1, "work");
  }
  // SIGBUS has the runtime's handler for a truncated profile.
  for (int number = 1; number < 32; ++number) {
    struct sigaction now;
    if (number != SIGBUS && sigaction(number, NULL, &now) == 0)
      printf("%d %d\n", number, now.sa_handler == SIG_DFL);
  }
  fflush(stdout);
  if (signal(SIGINT, save) == SIG_DFL)
    raise(SIGINT);
  return 1;
}
