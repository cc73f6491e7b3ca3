// With samples, functions whose hooks were switched off have self times in the
// advanced view, which are subtracted from their callers': as the program measured
// itself.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %gcc -O1 -g -Wall -Werror %runtime_include %s -o off %runtime_lib
// RUN: env LOOPSCOPE=advanced,stacks=1000,report=none,output=p.loopscope ./off > truth.txt
// RUN: loopscope report --view advanced --format csv p.loopscope > advanced.csv
// RUN: %python %S/Inputs/check_functions_off.py advanced.csv truth.txt
// RUN: loopscope report --view advanced p.loopscope --width all | FileCheck %s
// CHECK: (small) (off)
// CHECK: (off) hooks were switched off during the run: calls count until then; own time after that is estimated from samples{{$}}
#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <stdio.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static unsigned small(unsigned n) {
  __LOOPSCOPE_SPAN(1, FUNCTION, "small", __LINE__, "small");
  for (int i = 0; i < 20; ++i)
    n = n * 1664525 + 1013904223;
  return n;
}

__attribute__((noinline)) static unsigned spin(unsigned n, long turns) {
  for (long i = 0; i < turns; ++i)
    n = n * 1664525 + 1013904223;
  return n;
}

// The self time is that of spin, which has no hook, not that of small.
static double in_spin, in_small;
__attribute__((noinline)) static unsigned caller(unsigned n) {
  __LOOPSCOPE_SPAN(2, FUNCTION, "caller", __LINE__, "caller");
  double start = cpu();
  n = spin(n, 2000000);
  double middle = cpu();
  for (int i = 0; i < 200000; ++i)
    n = small(n);
  in_spin += middle - start;
  in_small += cpu() - middle;
  return n;
}

__attribute__((noinline)) static unsigned other(unsigned n) {
  __LOOPSCOPE_SPAN(3, FUNCTION, "other", __LINE__, "other");
  return spin(n, 3000000);
}

int main(void) {
  unsigned n = 1;
  double in_other = 0;
  {
    __LOOPSCOPE_SPAN(4, PHASE, "p", __LINE__, "main");
    for (int i = 0; i < 300 && in_spin + in_small + in_other < 2; ++i) {
      n = caller(n);
      double start = cpu();
      n = other(n);
      in_other += cpu() - start;
    }
  }
  printf("small %f\ncaller %f\nother %f\n", in_small, in_spin, in_other);
  return n == 0;
}
