// A program that survives stack overflows by a handler on another stack, as interpreters
// do: the spans that were left are ended, and later ones aren't below them.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report --view tree --format csv --columns name,depth %t.loopscope | FileCheck %s --check-prefix=TREE
// CHECK-DAG: {{^}}after,1000{{$}}
// TREE: {{^}}"main","after",0{{$}}
#include "survive.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;

static void overflow(int number) {
  (void)number;
  siglongjmp(back, 1);
}

__attribute__((noinline)) static int dive(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  if (depth < 0)
    return 0;
  PHASE(1, "dive");
  return dive(depth + 1) + room[0];
}

int main(void) {
  static char alternate[65536];
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
  struct sigaction action = {.sa_handler = overflow, .sa_flags = SA_ONSTACK};
  sigaltstack(&stack, NULL);
  sigaction(SIGSEGV, &action, NULL);
  for (volatile int i = 0; i < 5; ++i)
    if (sigsetjmp(back, 1) == 0)
      dive(0);
  for (int i = 0; i < 1000; ++i) {
    PHASE(2, "after");
  }
  puts("done");
}
