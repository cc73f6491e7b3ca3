// A program into which no library can be loaded is sampled from outside, by perf events: its loop is found, the shares
// of its calls are the true ones, and stacks are whole, without frame pointers. Output and exit code are its own.
// REQUIRES: x86, libdw, static-libc, perf-events, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g -static %s -o train
// RUN: sh -c 'loopscope run -e stacks=1000 --format json -o found.json -- ./train 7 > out 2> err; echo "code $?" >> out'
// RUN: printf 'done\ncode 7\n' | cmp out - && test ! -s err
// RUN: %python %S/Inputs/check_outside.py found.json train 47 backward=60 forward=30 load_batch=10
// RUN: ls | grep loopscope | FileCheck %s --check-prefix=FILE && loopscope suggest train.*.loopscope | FileCheck %s --check-prefix=RULES
// FILE: {{^train\.[0-9]+\.loopscope$}}
// RULES: {{^}}  - { kind: train, in: "train", loop: 1 }{{$}}

// Times aren't random, so there are no intervals in functions, and a line says why. The run's end is known.
// RUN: loopscope report train.*.loopscope --view functions | FileCheck %s --check-prefix=FUNCTIONS
// FUNCTIONS: (no phase) (no span) burn {{.*}} - {{ *}}-
// FUNCTIONS: {{^}}{{[0-9]+}} samples of {{[0-9.]+ (ns|µs|ms|s)}} of CPU time, one every {{[0-9.]+ (ns|µs|ms|s)}}; 1000 per second were requested.
// FUNCTIONS: Without intervals: the samples of a thread were taken at equal distances, every 991 µs of CPU time. A loop that runs in step with them has wrong shares.
// FUNCTIONS: The run exited with code 7.
// RUN: loopscope report train.*.loopscope | FileCheck %s --check-prefix=LOOPS
// LOOPS: Without intervals: the samples of a thread were taken at equal distances, every 991 µs of CPU time. A loop that runs in step with them has wrong shares.

// At an address that differs from the file's; without debug information; two threads; a program that was preloaded.
// RUN: %gcc -O2 -g -static-pie %s -o pie && loopscope run -e stacks=1000 --format json -o pie.json -- ./pie && %python %S/Inputs/check_outside.py pie.json train 47 backward=60 forward=30 load_batch=10
// RUN: %gcc -O2 -static %s -o bare && loopscope run -e stacks=1000 --format json -o bare.json -- ./bare && %python %S/Inputs/check_outside.py bare.json train - backward=60 forward=30 load_batch=10
// RUN: %gcc -O2 -g -static -pthread -DTHREADS %s -o threads && loopscope run -e stacks=1000 --format json -o threads.json -- ./threads && %python %S/Inputs/check_outside.py threads.json train 47 backward=60 forward=30 load_batch=10 --threads 2
// RUN: %gcc -O2 -g %s -o dynamic && loopscope run -e stacks=1000 --format json -o dynamic.json -- ./dynamic && %python %S/Inputs/check_outside.py dynamic.json train 47 backward=60 forward=30 load_batch=10 --same found.json

// Stacks lead through a signal's handler to what it interrupted.
// RUN: %gcc -O2 -g -static -DSIGNAL %s -o handler && loopscope run -e stacks=1000 --format json -o handler.json -- ./handler && %python %S/Inputs/check_outside.py handler.json train - backward=60 forward=30 load_batch=10
// RUN: loopscope export --to folded handler.*.loopscope -o - | FileCheck %s --check-prefix=HANDLER
// HANDLER: ;main;{{.*raise.*}};on_signal;train;backward;burn {{[0-9]+}}

// A stack of more than 32 KiB has no outer calls, and a line says so. A few samples may fall before it.
// RUN: %gcc -O2 -g -static -DDEEP %s -o deep && loopscope run -e stacks=1000 -- ./deep | FileCheck %s --check-prefix=DEEP
// DEEP: Likely main loop: the loop in train(), run-static.c:{{[0-9]+}} ({{100.0|99.[0-9]}}% of all samples).
// DEEP: {{^}}[[N:[0-9]+]]{{[0-9]}} samples of [[N]]{{[0-9]}} samples don't reach the start of their thread, so their callers are missing.{{$}}
#include "Inputs/uneven-loop.h"

#ifdef THREADS
#include <pthread.h>
#endif

__attribute__((noipa)) static void *train(void *steps) {
#ifdef DEEP
  volatile char room[100000];
  room[0] = room[99999] = 0;
#endif
  for (long i = 0; i < (long)steps; beginStep(++i)) {
    load_batch();
    forward();
    backward();
  }
  return NULL;
}

#ifdef SIGNAL
#include <signal.h>
__attribute__((noipa)) static void on_signal(int number) {
  train((void *)500L);
  sink = number;
}
#endif

int main(int argc, char **argv) {
#ifdef SIGNAL
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
#elif defined(THREADS)
  pthread_t other;
  pthread_create(&other, NULL, train, (void *)250L);
  train((void *)250L);
  pthread_join(other, NULL);
#else
  train((void *)500L);
#endif
  printf("done\n");
  return argc > 1 ? atoi(argv[1]) : 0;
}
