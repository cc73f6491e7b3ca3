// Threads of an OpenMP pool have no span: they count for the main thread's phase, and
// their busy waiting is libgomp's.
// REQUIRES: gcc
// RUN: rm -f %t.loopscope && %gcc -O1 -g -fopenmp %runtime_include %s -o %t %runtime_lib
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=active LOOPSCOPE=stacks,report=none,output=%t.loopscope %t > %t.truth
// RUN: loopscope report --view functions --format csv %t.loopscope > %t.csv
// RUN: %python %S/Inputs/check_barrier.py %t.csv %t.truth
#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <omp.h>
#include <stdio.h>
#include <time.h>

static volatile double sink;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void work(long n) {
  double x = 1;
  for (long i = 0; i < n; ++i)
    x = x * 1.0000001 + 1e-9;
  sink = x;
}

int main(void) {
  double working[2] = {0}, all[2] = {0};
#pragma omp parallel
  { all[omp_get_thread_num()] = -cpu(); }
  for (int step = 0; step < 120; ++step) {
    __LOOPSCOPE_SPAN(1, PHASE, "parallel", 1, "main");
#pragma omp parallel
    {
      int self = omp_get_thread_num();
      double start = cpu();
      // The first thread has almost all of the work; the other spins at the end.
      work(self == 0 ? 10000000 : 100000);
      working[self] += cpu() - start;
    }
  }
#pragma omp parallel
  { all[omp_get_thread_num()] += cpu(); }
  for (int i = 0; i < 2; ++i)
    printf("%f %f\n", working[i], all[i]);
}
