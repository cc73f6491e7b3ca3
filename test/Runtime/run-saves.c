// What saves the model or shows how far it is takes time in an epoch, and is no part of a step: the loop beside it has the steps.
// REQUIRES: x86, libdw, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g %s -o train
// RUN: loopscope run --no-counts -- ./train saves | FileCheck %s --check-prefix=SAVES
// SAVES: {{^}}Likely main loop: the loop in words(), run-saves.c:30 (
// SAVES: {{^}}Another candidate: the loop in words(), run-saves.c:29 (
// Also where the C library writes it. What computes a logarithm shows nothing.
// RUN: loopscope run --no-counts -- ./train writes | FileCheck %s --check-prefix=WRITES
// WRITES: {{^}}Likely main loop: the loop in numbers(), run-saves.c:41 (
// WRITES: {{^}}Another candidate: the loop in numbers(), run-saves.c:40 (
// RUN: loopscope run --no-counts -- ./train computes | FileCheck %s --check-prefix=COMPUTES
// COMPUTES: {{^}}Likely main loop: the loop in densities(), run-saves.c:51 (
#include "Inputs/known-loop.h"
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline)) static void

PART(save_net, 1500)
PART(log_density, 1400)

NOINLINE score(void) {
  for (int i = 0; i < 4; ++i)
    forward();
  sink = sink + 1;
}

NOINLINE words(int most) {
  for (int iter = 0; iter < most; ++iter) { // ITERS
    for (int i = 0; i < 4; ++i) {           // WORDS
      forward();
      backward();
    }
    score();
    save_net();
  }
}

NOINLINE numbers(int most, FILE *to) {
  for (int iter = 0; iter < most; ++iter) { // NUMBERS
    for (int i = 0; i < 4; ++i) {           // WRITTEN
      forward();
      backward();
    }
    for (int i = 0; i < 12000; ++i)
      fprintf(to, "%.6f\t", sink + i);
  }
}

NOINLINE densities(int most) {
  for (int iter = 0; iter < most; ++iter) { // DENSITIES
    for (int i = 0; i < 4; ++i) {
      forward();
      backward();
    }
    log_density();
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "saves") == 0)
    words(60);
  else if (strcmp(what, "writes") == 0)
    numbers(80, fopen("/dev/null", "w"));
  else
    densities(80);
  return 0;
}
