// Somebody truncates the profile at a random moment, while threads are busy in hooks: on known
// call paths and new ones, on threads that begin and end, while they are sampled. The program ends
// as usual. (truncated.c does it between hooks, where one thread is.)
// REQUIRES: long
// RUN: %survive_c
// RUN: %python %S/Inputs/truncate_busy.py %t.hooked 10 simple trace,cpu=on whatif,stacks advanced,log=%t.log | FileCheck %s
// CHECK-NOT: {{.}}
// CHECK: {{^}}40 runs ended as usual{{$}}
#include "survive.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#ifdef PLAIN
#define SPAN(ID, KIND, NAME)
#define STEP(ID, LOOP)
#else
#define SPAN(ID, KIND, NAME) __LOOPSCOPE_SPAN(ID, KIND, NAME, __LINE__, "survive")
#define STEP(ID, LOOP)                                                                             \
  __LOOPSCOPE_STEP(ID, LOOP);                                                                      \
  __LOOPSCOPE_SAMPLES(ID, 3)
#endif

static double until;
static __thread unsigned state;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static unsigned chance(unsigned of) {
  state = state * 1664525U + 1013904223U;
  return (state >> 16) % of;
}

static void go(int depth);

#define PATH(NAME, ID, KIND)                                                                       \
  static void NAME(int depth) {                                                                    \
    SPAN(ID, KIND, #NAME);                                                                         \
    go(depth - 1);                                                                                 \
    if (chance(3) == 0)                                                                            \
      go(depth - 1);                                                                               \
  }
PATH(load, 1, PHASE)
PATH(forward, 2, FUNCTION)
PATH(backward, 3, PHASE)
PATH(update, 4, FUNCTION)
PATH(reduce, 5, COLLECTIVE)

// More keys than a call path keeps.
static void layer(int depth) {
  KEYED(12, "layer", chance(400));
  if (depth > 3)
    go(depth - 2);
}

static void operation(int depth) {
  char name[16];
  snprintf(name, sizeof name, "op%u", chance(300));
  KEYED(13, "operation", name);
  (void)depth;
}

static void train(int depth) {
  SPAN(6, TRAIN, "train");
  for (unsigned left = chance(4); left != 0; --left) {
    STEP(7, 6);
    go(depth - 1);
  }
}

static void go(int depth) {
  static void (*const all[])(int) = {load,   forward, backward, update,
                                     reduce, train,   layer,    operation};
  if (depth > 0)
    all[chance(8)](depth);
}

// The same call paths again and again.
static void *hot(void *unused) {
  while (seconds() < until) {
    SPAN(8, TRAIN, "hot");
    for (int i = 0; i < 50; ++i) {
      STEP(9, 8);
      SPAN(10, PHASE, "phase");
      for (int j = 0; j < 20; ++j) {
        SPAN(11, FUNCTION, "inner");
        KEYED(14, "keyed", j);
      }
    }
  }
  return unused;
}

// New ones, at random.
static void *cold(void *seed) {
  state = (unsigned)(uintptr_t)seed;
  for (double end = seconds() + 0.02; seconds() < end;)
    go(5);
  return NULL;
}

static void *threads(void *seed) {
  for (uintptr_t next = (uintptr_t)seed; seconds() < until; next += 7919) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, cold, (void *)next) == 0)
      pthread_join(thread, NULL);
  }
  return NULL;
}

int main(void) {
  until = seconds() + 0.3;
  pthread_t all[4];
  for (uintptr_t i = 0; i < 4; ++i)
    pthread_create(&all[i], NULL, i < 2 ? hot : threads, (void *)(i + 1));
  for (int i = 0; i < 4; ++i)
    pthread_join(all[i], NULL);
  puts("done");
  return 0;
}
