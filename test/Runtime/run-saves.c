// What saves the model or shows how far it is takes time in an epoch, and is no part of a step: the loop beside it has the steps.
// REQUIRES: x86, libdw, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g -pthread %s -o train
// RUN: loopscope run --no-counts -- ./train saves | FileCheck %s --check-prefix=SAVES
// SAVES: {{^}}Likely main loop: the loop in words(), run-saves.c:42 (
// SAVES: {{^}}Another candidate: the loop in words(), run-saves.c:41 (
// Also where the C library writes it. What computes a logarithm shows nothing.
// RUN: loopscope run --no-counts -- ./train writes | FileCheck %s --check-prefix=WRITES
// WRITES: {{^}}Likely main loop: the loop in numbers(), run-saves.c:53 (
// WRITES: {{^}}Another candidate: the loop in numbers(), run-saves.c:52 (
// RUN: loopscope run --no-counts -- ./train computes | FileCheck %s --check-prefix=COMPUTES
// COMPUTES: {{^}}Likely main loop: the loop in densities(), run-saves.c:63 (
// Writing the result may take longer than each thread that trained.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train result | FileCheck %s --check-prefix=RESULT
// RESULT: {{^}}Likely main loop: the loop in worker(), run-saves.c:73 (
// RESULT: {{^}}Another candidate: the loop in result(), run-saves.c:83 (
// What a loop counts is its variable, whatever its bound is called.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train draws | FileCheck %s --check-prefix=DRAWS
// DRAWS: {{^}}Likely main loop: the loop in sweep(), run-saves.c:88 (
// DRAWS: {{^}}Another candidate: the loop in draws(), run-saves.c:95 (
// So does a counter of iterations in its body, where the head has none.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train enough | FileCheck %s --check-prefix=ENOUGH
// ENOUGH: {{^}}Likely main loop: the loop in enough(), run-saves.c:105 (
#include "Inputs/known-loop.h"
#include <pthread.h>
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

static void *worker(void *of) {
  for (int i = 0; i < 260; ++i) { // WORKER
    forward();
    backward();
  }
  return of;
}
NOINLINE result(FILE *to) {
  pthread_t other;
  pthread_create(&other, NULL, worker, NULL);
  pthread_join(other, NULL);
  for (int i = 0; i < 9000000; ++i) // RESULTS
    fprintf(to, "%.6f\t", sink + i);
}

NOINLINE sweep(int samples) {
  for (int i = 0; i < samples; ++i) { // SWEEP
    forward();
    backward();
  }
  sink = sink + 1;
}
NOINLINE draws(int num_samples) {
  for (int iter = 0; iter < num_samples; ++iter) { // BOUND
    sweep(4);
    sink = sink + 1;
  }
}

NOINLINE enough(int samples) {
  int iter = 0, taken = 0;
  while (taken < samples) { // TAKEN
    ++iter;
    for (int i = 0; i < 4; ++i) { // SENTENCES
      forward();
      backward();
    }
    if (iter > 10)
      ++taken;
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "saves") == 0)
    words(60);
  else if (strcmp(what, "writes") == 0)
    numbers(80, fopen("/dev/null", "w"));
  else if (strcmp(what, "result") == 0)
    result(fopen("/dev/null", "w"));
  else if (strcmp(what, "draws") == 0)
    draws(80);
  else if (strcmp(what, "enough") == 0)
    enough(70);
  else
    densities(80);
  return 0;
}
