// Useful time of a consumer that spins or sleeps for its items equals the program's own
// measurement outside its waits, in sums and in a timeline. The producer's waits count
// for the producer.
// RUN: rm -f %t.*.loopscope && %build_c -pthread
// RUN: for how in spin sleep; do for mode in simple trace; do env LOOPSCOPE=report=none,warmup=0,$mode,output=%t.$how.$mode.loopscope %t $how > %t.$how.$mode.own || exit 1; done; done
// RUN: for how in spin sleep; do for mode in simple trace; do for v in overview simple tree steps; do loopscope report --view $v --format csv %t.$how.$mode.loopscope > %t.$how.$mode.$v 2> %t.err || test $v.$mode = steps.simple || exit 1; done; %python %S/Inputs/check_waits.py %t.$how.$mode || exit 1; done; done
#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { Items = 40 };

static pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t More = PTHREAD_COND_INITIALIZER;
static int Ready; // items made but not taken yet

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void work(double seconds) {
  double end = now() + seconds;
  while (now() < end)
    ;
}

static void put(void) {
  pthread_mutex_lock(&Lock);
  ++Ready;
  pthread_cond_signal(&More);
  pthread_mutex_unlock(&Lock);
}

static void *produce(void *unused) {
  for (int i = 0; i < Items; ++i) {
    __LOOPSCOPE_SPAN(1, PHASE, "make", __LINE__, "produce");
    struct timespec pause = {0, 3000000};
    {
      __LOOPSCOPE_SPAN(2, WAIT, "pause", __LINE__, "produce");
      nanosleep(&pause, 0);
    }
    put();
  }
  return unused;
}

// Adds the time measured inside the span to *INNER.
static void pop(int spins, double *inner) {
  __LOOPSCOPE_SPAN(3, WAIT, "pop", __LINE__, "pop");
  double begin = now();
  pthread_mutex_lock(&Lock);
  while (!Ready) {
    if (!spins) {
      pthread_cond_wait(&More, &Lock);
      continue;
    }
    pthread_mutex_unlock(&Lock);
    pthread_mutex_lock(&Lock);
  }
  --Ready;
  pthread_mutex_unlock(&Lock);
  *inner += now() - begin;
}

int main(int count, char **words) {
  int spins = count > 1 && !strcmp(words[1], "spin");
  pthread_t producer;
  // Minimum and maximum of the spans: the program may lose the processor between its clock
  // readings and the hooks'.
  double steps[2] = {0}, waits[2] = {0};
  pthread_create(&producer, 0, produce, 0);
  {
    double loop = now();
    __LOOPSCOPE_SPAN(4, TRAIN, "train", __LINE__, "main");
    for (int i = 0; i < Items; ++i) {
      __LOOPSCOPE_STEP(5, 4);
      double begin = now();
      {
        __LOOPSCOPE_SPAN(6, PHASE, "forward", __LINE__, "main");
        work(0.0005);
        double before = now();
        pop(spins, &waits[0]);
        waits[1] += now() - before;
      }
      work(0.001);
      steps[0] += now() - begin;
    }
    steps[1] = now() - loop;
  }
  pthread_join(producer, 0);
  printf("%.9f %.9f %.9f %.9f\n", steps[0], steps[1], waits[0], waits[1]);
  return 0;
}
