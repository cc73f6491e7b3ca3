// Which of the loops that lie in each other has the steps, also where each is in a function of its own, by samples alone.
// REQUIRES: x86, libdw, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g %s -o train
// A function for an epoch, and one that validates: the loop over batches is first, the one over epochs second.
// RUN: loopscope run --no-counts --format json -o fit.json -- ./train fit
// RUN: %python %S/Inputs/check_loops.py fit.json trainEpoch 51 backward=67 forward=33
// RUN: loopscope report train.*.loopscope | FileCheck %s --check-prefix=FIT
// FIT: {{^}}Likely main loop: the loop in trainEpoch(), run-epochs.c:51 (
// FIT: {{^}}Another candidate: the loop in fit(), run-epochs.c:64 (
// FIT-NOT: {{^}}Another candidate
// Validation that takes most of the time, by what it calls: no name here tells what trains.
// RUN: rm *.loopscope && loopscope run --no-counts --format json -o rows.json -- ./train rows
// RUN: %python %S/Inputs/check_loops.py rows.json work 78 backward=67 forward=33
// RUN: loopscope report train.*.loopscope | FileCheck %s --check-prefix=ROWS
// ROWS: {{^}}Likely main loop: the loop in work(), run-epochs.c:78 (
// ROWS: {{^}}Another candidate: the loop in work(), run-epochs.c:77 (
// Both passes over the layers call the same function: it is a part of both, and neither pass validates.
// RUN: rm *.loopscope && loopscope run --no-counts --format json -o layers.json -- ./train layers
// RUN: %python %S/Inputs/check_loops.py layers.json network 105 down=67 up=33
// RUN: loopscope report train.*.loopscope | FileCheck %s --check-prefix=LAYERS
// LAYERS: {{^}}Likely main loop: the loop in network(), run-epochs.c:105 (
// LAYERS: {{^}}Another candidate: the loop in down(), run-epochs.c:98 (
// What the head counts tells an epoch, where an update beside the batches would make it a step.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train counted | FileCheck %s --check-prefix=COUNTED
// COUNTED: {{^}}Likely main loop: the loop in counted(), run-epochs.c:115 (
// COUNTED: {{^}}Another candidate: the loop in counted(), run-epochs.c:114 (
// A loop without calls is a part of a step, not a loop over steps.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train kernel | FileCheck %s --check-prefix=KERNEL
// KERNEL: {{^}}Likely main loop: the loop in kernel(), run-epochs.c:127 (
// KERNEL-NOT: {{^}}Another candidate
// A method that takes all data at once: what searches along a line takes most of an epoch, which is a step all the same.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train search | FileCheck %s --check-prefix=SEARCH
// SEARCH: {{^}}Likely main loop: the loop in minimize(), run-epochs.c:148 (
// In iterations, it has the steps if it does more than a loop in it: here, a sum for a sample, and what the sum changes.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train descend | FileCheck %s --check-prefix=DESCEND
// DESCEND: {{^}}Likely main loop: the loop in descend(), run-epochs.c:160 (
// A sum for each element, and nothing else, is a part of an iteration.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train relax | FileCheck %s --check-prefix=RELAX
// RELAX: {{^}}Likely main loop: the loop in relax(), run-epochs.c:173 (
#include "Inputs/known-loop.h"
#include <string.h>

#define NOINLINE __attribute__((noinline)) static void

NOINLINE multiply(long units) {
  burn(units);
  sink = sink + 1;
}

NOINLINE trainEpoch(void) {
  for (int i = 0; i < 4; ++i) { // BATCHES
    forward();
    backward();
  }
  sink = sink + 1;
}
NOINLINE evaluate(void) {
  for (int i = 0; i < 4; ++i)
    forward();
  sink = sink + 1;
}

NOINLINE fit(int n) {
  for (int e = 0; e < n; ++e) { // EPOCHS
    trainEpoch();
    evaluate();
  }
}

NOINLINE score(void) {
  for (int i = 0; i < 20; ++i)
    forward();
  sink = sink + 1;
}
NOINLINE
work(int n) {
  for (int e = 0; e < n; ++e) {   // PASSES
    for (int i = 0; i < 4; ++i) { // ROWS
      forward();
      backward();
    }
    score();
  }
}

NOINLINE layer(long units) {
  multiply(units);
  multiply(units);
}
NOINLINE up(void) {
  for (int l = 0; l < 3; ++l)
    layer(100);
  sink = sink + 1;
}
NOINLINE
down(void) {
  // The same work as up(), twice.
  for (int l = 3; l > 0; --l) { // DOWN
    layer(100);
    layer(100);
  }
  sink = sink + 1;
}
NOINLINE network(int n) {
  for (int i = 0; i < n; ++i) { // PASS
    up();
    down();
  }
}

PART(shuffle, 400)
NOINLINE
counted(int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int i = 0; i < 2; ++i) { // EPOCH
      forward();
      backward();
    }
    shuffle();
  }
}

static volatile double weights[64];
NOINLINE
kernel(int n) {
  load_batch();
  for (int i = 0; i < n; ++i) { // STEPS
    sink = sink + 1;
    for (int r = 0; r < 8000; ++r)
      for (int k = 0; k < 64; ++k)
        weights[k] = weights[k] * 0.999 + r;
    multiply(20);
  }
}

PART(propagate, 60)
PART(back_propagate, 220)
PART(try_point, 300)
PART(check_point, 100)
NOINLINE update_parameters(void) {
  for (int i = 0; i < 6; ++i) {
    try_point();
    check_point();
  }
  sink = sink + 1;
}
NOINLINE minimize(int n) {
  for (int epoch = 0; epoch < n; ++epoch) { // SEARCH
    propagate();
    back_propagate();
    update_parameters();
  }
}

PART(shuffle_rows, 2)
NOINLINE descend(int n, int m) {
  static double x[200][400], w[400], y[200];
  for (int iter = 0; iter < 20000; ++iter) {
    shuffle_rows();
    for (int r = 0; r < n; ++r) { // DESCEND
      double g = -y[r] - 1;
      for (int c = 0; c < m; ++c)
        g += w[c] * x[r][c];
      if (g < -2) // never
        for (int c = 0; c < m; ++c)
          w[c] -= g * x[r][c];
    }
  }
  sink = w[0];
}
NOINLINE relax(int n, int m) {
  static double x[200][400], w[400];
  for (int iter = 0; iter < 20000; ++iter) { // RELAX
    shuffle_rows();
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < m; ++c)
        w[c] += w[r] * x[r][c];
  }
  sink = w[0];
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "fit") == 0)
    fit(80);
  else if (strcmp(what, "rows") == 0)
    work(50);
  else if (strcmp(what, "layers") == 0)
    network(400);
  else if (strcmp(what, "counted") == 0)
    counted(150);
  else if (strcmp(what, "search") == 0)
    minimize(600);
  else if (strcmp(what, "descend") == 0)
    descend(200, 400);
  else if (strcmp(what, "relax") == 0)
    relax(200, 400);
  else
    kernel(5000);
  return 0;
}
