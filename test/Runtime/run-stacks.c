// Whole stacks in optimised code without frame pointers: recursion, mutual recursion, tail calls,
// a handler of signals, a callback from the C library, threads.
// REQUIRES: x86, libdw
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g -pthread %s -o kinds
// RUN: loopscope run --format json -o found.json -- ./kinds > out && grep -q '^done$' out
// RUN: %python %S/Inputs/check_loops.py found.json main 64
// RUN: loopscope export --to folded -o - kinds.*.loopscope | FileCheck %s
// CHECK-DAG: {{;main;(.*;)?deep;(.*;)?forward;burn }}
// CHECK-DAG: {{;main;(.*;)?odd;(.*;)?forward;burn }}
// CHECK-DAG: {{;main;(.*;)?handler;burn }}
// CHECK-DAG: {{;main;(.*;)?compare;burn }}
// CHECK-DAG: {{;thread;burn }}
#include "Inputs/known-loop.h"
#include <pthread.h>
#include <signal.h>

__attribute__((noinline)) static long deep(int n) {
  if (n == 0) {
    forward();
    return 1;
  }
  long r = deep(n - 1);
  sink = sink + (double)r;
  return r + 1;
}
__attribute__((noinline)) static long odd(int n);
__attribute__((noinline)) static long even(int n) {
  if (n == 0) {
    forward();
    return 1;
  }
  long r = odd(n - 1);
  sink = sink + (double)r;
  return r + 1;
}
static long odd(int n) {
  long r = even(n - 1);
  sink = sink + (double)r;
  return r + 1;
}
__attribute__((noinline)) static void tail(void) { burn(300); }
static void handler(int number) {
  burn(200 + number);
  sink = sink + 1;
}
static int compare(const void *a, const void *b) {
  burn(20);
  return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) static void sorted(void) {
  int numbers[] = {5, 2, 9, 1, 7, 3, 8, 4};
  qsort(numbers, 8, sizeof(int), compare);
  sink = numbers[0];
}
static void *thread(void *unused) {
  burn(100000);
  return unused;
}

int main(void) {
  signal(SIGUSR1, handler);
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  for (int i = 0; i < 200; ++i) {
    deep(600);
    odd(601);
    tail();
    raise(SIGUSR1);
    sorted();
  }
  pthread_join(id, NULL);
  puts("done");
}
