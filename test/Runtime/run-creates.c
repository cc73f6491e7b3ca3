// The library of `loopscope run` stands between the program and pthread_create(): each thread gets its own function and
// argument, however many begin at once, and errors are what they are.
// REQUIRES: x86
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -pthread %s -o creates
// RUN: ./creates > plain && loopscope run --no-counts -- ./creates > run 2> notes
// RUN: FileCheck %s < plain && FileCheck %s < run
// CHECK: {{^}}200 threads, sum 19900, failed as it must, nested 7{{$}}
#include "Inputs/known-loop.h"
#include <errno.h>
#include <pthread.h>

enum { THREADS = 200 };
static pthread_barrier_t all;
static long given[THREADS];

static void *take(void *of) {
  pthread_barrier_wait(&all);
  *(long *)of += 1;
  return of;
}
static void *seven(void *of) { return (char *)of + 7; }
static void *nested(void *of) {
  pthread_t inner;
  void *result;
  if (pthread_create(&inner, NULL, seven, of) != 0)
    abort();
  pthread_join(inner, &result);
  return result;
}

int main(void) {
  burn(250000); // so that it is recorded
  pthread_t ids[THREADS], one;
  pthread_attr_t small, huge;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  pthread_barrier_init(&all, NULL, THREADS);
  for (long i = 0; i < THREADS; ++i) {
    given[i] = i - 1;
    if (pthread_create(&ids[i], &small, take, &given[i]) != 0)
      abort();
  }
  long sum = 0;
  for (int i = 0; i < THREADS; ++i) {
    void *result;
    pthread_join(ids[i], &result);
    if (result != &given[i])
      abort();
    sum += *(long *)result;
  }
  pthread_attr_init(&huge);
  pthread_attr_setstacksize(&huge, (size_t)1 << 50);
  int error = pthread_create(&one, &huge, seven, NULL);
  void *result;
  if (pthread_create(&one, NULL, nested, NULL) != 0)
    abort();
  pthread_join(one, &result);
  printf("%d threads, sum %ld, %s, nested %ld\n", THREADS, sum,
         error == EAGAIN || error == ENOMEM ? "failed as it must" : "no error",
         (long)result);
  return 0;
}
