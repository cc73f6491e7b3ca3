// Which of a function's loops has the steps, by samples alone: a step may be two passes over time, each in a loop of its own.
// Validation repeats some of the training's work, so the loop beside it has the steps, also where a step is one call.
// REQUIRES: x86, libdw, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g %s -o train
// RUN: loopscope run --no-counts --format json -o time.json -- ./train time
// RUN: %python %S/Inputs/check_loops.py time.json throughTime 34 backward=57 forward=29 load_batch=14
// RUN: loopscope report train.*.loopscope | FileCheck %s --check-prefix=TIME
// TIME: {{^}}Likely main loop: the loop in throughTime(), run-passes.c:34 (
// TIME: {{^}}Another candidate: the loop in throughTime(), run-passes.c:40 (
// RUN: rm *.loopscope && loopscope run --no-counts --format json -o valid.json -- ./train validate
// RUN: %python %S/Inputs/check_loops.py valid.json validated 49 backward=67 forward=33
// RUN: loopscope report train.*.loopscope | FileCheck %s --check-prefix=VALID
// VALID: {{^}}Likely main loop: the loop in validated(), run-passes.c:49 (
// VALID: {{^}}Another candidate: the loop in validated(), run-passes.c:48 (
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train call | FileCheck %s --check-prefix=CALLED
// CALLED: {{^}}Likely main loop: the loop in called(), run-passes.c:70, by the calls in step() (
// CALLED: {{^}}Another candidate: the loop in called(), run-passes.c:69 (
// CALLED-NOT: {{^}}Another candidate
// A loop over samples, whose gradients are summed up before the update, is a part of the step.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train update | FileCheck %s --check-prefix=UPDATED
// UPDATED: {{^}}Likely main loop: the loop in updated(), run-passes.c:77 (
// What a name says of training decides between the loop of a function and one in what it calls.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train agent | FileCheck %s --check-prefix=AGENT
// AGENT: {{^}}Likely main loop: the loop in trainAgent(), run-passes.c:92 (
// AGENT: {{^}}Another candidate: the loop in choose(), run-passes.c:85 (
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train play | FileCheck %s --check-prefix=PLAY
// PLAY: {{^}}Likely main loop: the loop in choose(), run-passes.c:85 (
// PLAY: {{^}}Another candidate: the loop in play(), run-passes.c:98 (
#include "Inputs/known-loop.h"
#include <string.h>
PART(update, 900)

__attribute__((noinline)) static void throughTime(int steps) {
  for (int i = 0; i < steps; ++i) { // TIME
    load_batch();
    for (int t = 0; t < 2; ++t) {
      forward();
      sink = sink + 1;
    }
    for (int t = 2; t > 0; --t) { // BACK
      backward();
      load_batch();
    }
  }
}

__attribute__((noinline)) static void validated(int epochs) {
  for (int e = 0; e < epochs; ++e) { // EPOCHS
    for (int i = 0; i < 4; ++i) {    // STEPS
      forward();
      backward();
    }
    for (int i = 0; i < 4; ++i)
      forward();
  }
}

__attribute__((noinline)) static void step(void) {
  forward();
  backward();
  sink = sink + 1;
}
__attribute__((noinline)) static void validate(void) {
  for (int i = 0; i < 4; ++i)
    forward();
  sink = sink + 1;
}
__attribute__((noinline)) static void called(int epochs) {
  for (int e = 0; e < epochs; ++e) { // CALLEPOCHS
    for (int i = 0; i < 4; ++i)      // CALLS
      step();
    validate();
  }
}

__attribute__((noinline)) static void updated(int steps) {
  for (int i = 0; i < steps; ++i) { // BATCHES
    for (int s = 0; s < 4; ++s)
      step();
    update();
  }
}

__attribute__((noinline)) static void choose(void) {
  for (int m = 0; m < 4; ++m) { // MOVES
    forward();
    backward();
  }
  sink = sink + 1;
}
__attribute__((noinline)) static void trainAgent(int pieces) {
  for (int i = 0; i < pieces; ++i) { // PIECES
    choose();
    load_batch();
  }
}
__attribute__((noinline)) static void play(int pieces) {
  for (int i = 0; i < pieces; ++i) { // PLAYED
    choose();
    load_batch();
    sink = sink + 1; // or the compiler takes it for trainAgent()
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "time") == 0)
    throughTime(200);
  else if (strcmp(what, "validate") == 0)
    validated(80);
  else if (strcmp(what, "call") == 0)
    called(80);
  else if (strcmp(what, "agent") == 0)
    trainAgent(100);
  else if (strcmp(what, "play") == 0)
    play(100);
  else
    updated(100);
  return 0;
}
