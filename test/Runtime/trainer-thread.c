// A loop in a worker thread has the figures that it has in main: what is sampled of the process,
// and samples of threads without a span, belong to its phases while main is in none.
// RUN: rm -f %t.*.loopscope && %gcc -O1 -g -Wall -Werror -pthread %runtime_include %s -o %t %runtime_lib
// RUN: for i in main worker; do env LOOPSCOPE=stacks=500,devices=10ms,report=none,output=%t.$i.loopscope %t $i || exit 1; done
// RUN: for i in main worker; do loopscope report %t.$i.loopscope --view functions --format csv | FileCheck %s --check-prefix=FUNCTIONS || exit 1; done
// FUNCTIONS: "compute","(no span)",{{.*}}pool
// RUN: for i in main worker; do loopscope report %t.$i.loopscope --view devices | FileCheck %s --check-prefix=DEVICES || exit 1; done
// DEVICES: {{^}}compute {{.*[0-9]$}}
#include <loopscope/hooks.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static volatile double value;
static volatile int stop;
__attribute__((noinline)) static void *pool(void *unused) {
  while (!stop)
    value = value * 0.999 + 1;
  return unused;
}

static void *train(void *unused) {
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "train");
  for (double end = seconds(CLOCK_MONOTONIC) + 1; seconds(CLOCK_MONOTONIC) < end;) {
    __LOOPSCOPE_STEP(2, 1);
    __LOOPSCOPE_SPAN(3, PHASE, "compute", 3, "train");
    for (double at = seconds(CLOCK_THREAD_CPUTIME_ID) + 0.02; seconds(CLOCK_THREAD_CPUTIME_ID) < at;)
      ;
  }
  stop = 1;
  return unused;
}

int main(int count, char **words) {
  pthread_t other, trainer;
  pthread_create(&other, NULL, pool, NULL);
  if (count > 1 && strcmp(words[1], "main") == 0) {
    train(NULL);
  } else {
    pthread_create(&trainer, NULL, train, NULL);
    pthread_join(trainer, NULL);
  }
  pthread_join(other, NULL);
  return 0;
}
