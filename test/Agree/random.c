// What several places of a report show of the same time is equal: runs of random structure, with
// loops in main or on one to four threads, validation inside training, several loops, warm-up,
// phases in phases, waits, keys in ranges and not; in json, csv and on the html page. The same of
// each part of such a run (loopscope_reset), and what is written for other tools adds up to it.
// RUN: %gcc -O1 -Wall -Werror -pthread %runtime_include %s -o %t %runtime_lib
// RUN: %python %S/Inputs/agree.py loopscope %t %t.loopscope 12 | FileCheck %s
// CHECK-NOT: {{.}}
// CHECK: {{^}}12 runs agree{{$}}
// RUN: %python %S/Inputs/agree.py loopscope %t %t.loopscope 5 1 resets | FileCheck %s --check-prefix=PARTS
// PARTS-NOT: {{.}}
// PARTS: {{^}}5 runs and {{[1-9][0-9]*}} earlier parts agree{{$}}
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define SPAN(ID, KIND, NAME) __LOOPSCOPE_SPAN(ID, KIND, NAME, __LINE__, "agree")
#define STEP(ID, LOOP, SAMPLES)                                                                    \
  __LOOPSCOPE_STEP(ID, LOOP);                                                                      \
  __LOOPSCOPE_SAMPLES(ID, SAMPLES)

static __thread unsigned state;
static int resets;

static unsigned chance(unsigned of) {
  state = state * 1664525U + 1013904223U;
  return (state >> 16) % of;
}

static void pause_for(unsigned most_us) {
  struct timespec time = {0, (long)(1 + chance(most_us)) * 1000};
  nanosleep(&time, NULL);
}

static void work(void) {
  volatile double sum = 0;
  for (unsigned left = 1 + chance(30000); left != 0; --left)
    sum = sum * 0.5 + left;
}

static void attention(void) {
  __LOOPSCOPE_KEYED_SITE(1, PHASE, "attention", __LINE__, "agree", "kind");
  __LOOPSCOPE_KEYED(1, 0, chance(3) == 0 ? "full" : "causal");
  work();
}

static void forward(void) {
  __LOOPSCOPE_KEYED_SITE(2, PHASE, "forward", __LINE__, "agree", "length");
  __LOOPSCOPE_KEYED(2, 0, (int)chance(400) - 100);
  work();
  if (chance(2) == 0)
    attention();
}

static void backward(void) {
  SPAN(3, PHASE, "backward");
  work();
}

static void wait_for_pool(void) {
  SPAN(4, WAIT, "pool");
  pause_for(200);
}

static void validate(void) {
  SPAN(5, VALID, "valid");
  for (unsigned left = 1 + chance(4); left != 0; --left) {
    STEP(6, 5, 2);
    forward();
  }
}

static void evaluate(void) {
  SPAN(7, PHASE, "evaluate");
  validate();
}

// One step of either training loop.
static void step_of(unsigned kind) {
  if (resets && chance(12) == 0)
    loopscope_reset();
  if (chance(2) == 0)
    forward();
  if (chance(2) == 0)
    backward();
  if (chance(6) == 0)
    wait_for_pool();
  if (kind == 0 && chance(5) == 0)
    validate();
  if (kind == 1 && chance(5) == 0)
    evaluate();
}

static void draw(void) {
  if (chance(2) == 0)
    pause_for(300);
}

static void first_loop(void) {
  SPAN(8, TRAIN, "train");
  for (unsigned left = 2 + chance(20); draw(), left != 0; --left) {
    STEP(9, 8, 4);
    step_of(0);
  }
}

static void second_loop(void) {
  SPAN(10, TRAIN, "train");
  for (unsigned left = 2 + chance(10); draw(), left != 0; --left) {
    STEP(11, 10, 8);
    step_of(1);
  }
}

static void *train(void *seed) {
  state = (unsigned)(uintptr_t)seed;
  for (unsigned epochs = 1 + chance(3); epochs != 0; --epochs) {
    SPAN(12, EPOCH, "epoch");
    first_loop();
    if (chance(3) == 0) {
      SPAN(13, PHASE, "second half");
      second_loop();
    }
    if (chance(2) == 0)
      validate();
  }
  return NULL;
}

static void load(void) {
  SPAN(14, PHASE, "build index");
  pause_for(20000);
}

// Arguments: a seed, how many threads train (none: main does), and whether parts begin in steps.
int main(int count, char **values) {
  unsigned seed = count > 1 ? (unsigned)atoi(values[1]) : 1;
  unsigned threads = count > 2 ? (unsigned)atoi(values[2]) : 0;
  resets = count > 3 ? atoi(values[3]) : 0;
  state = seed;
  load();
  pthread_t all[4];
  for (unsigned i = 0; i < threads; ++i)
    pthread_create(&all[i], NULL, train, (void *)(uintptr_t)(seed * 31 + i));
  if (threads == 0)
    train((void *)(uintptr_t)seed);
  for (unsigned i = 0; i < threads; ++i)
    pthread_join(all[i], NULL);
  return 0;
}
