// Two fibres, each with a phase that is open while the other runs: the program is
// unchanged, every span is counted, and none is taken for one that a jump has left.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}even,50{{$}}
// CHECK-DAG: {{^}}odd,50{{$}}
// CHECK-DAG: {{^}}part,199{{$}}
#include "survive.h"
#include <stdio.h>
#include <ucontext.h>

static ucontext_t whole, fibers[2];
static int turns;

static void part(void) { PHASE(3, "part"); }

static void even(void) {
  for (int i = 0; i < 50; ++i) {
    PHASE(1, "even");
    part();
    ++turns;
    swapcontext(&fibers[0], &fibers[1]);
    part();
  }
  setcontext(&whole);
}

static void odd(void) {
  for (int i = 0; i < 50; ++i) {
    PHASE(2, "odd");
    part();
    ++turns;
    swapcontext(&fibers[1], &fibers[0]);
    part();
  }
  setcontext(&fibers[0]);
}

int main(void) {
  static char stacks[2][65536];
  for (int i = 0; i < 2; ++i) {
    getcontext(&fibers[i]);
    fibers[i].uc_stack.ss_sp = stacks[i];
    fibers[i].uc_stack.ss_size = sizeof(stacks[i]);
  }
  makecontext(&fibers[0], even, 0);
  makecontext(&fibers[1], odd, 0);
  swapcontext(&whole, &fibers[0]);
  printf("%d\n", turns);
}
