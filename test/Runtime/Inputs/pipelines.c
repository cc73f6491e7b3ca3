// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines with known critical phases. They only sleep, so that the truth holds on a
// busy machine.
//
//   pipelines NAME STEPS        runs one
//   pipelines NAME 0            prints its phases and what they are
//   pipelines list              prints the names

#include <loopscope/hooks.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A queue of batch numbers, with at most `room` items.
struct queue {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int items, room, closed;
};
#define QUEUE(ROOM)                                                            \
  {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, ROOM, 0}

static int change(struct queue *q, int by) {
  pthread_mutex_lock(&q->mutex);
  while (!q->closed && (by > 0 ? q->items == q->room : q->items == 0))
    pthread_cond_wait(&q->changed, &q->mutex);
  int done = by > 0 ? !q->closed : q->items > 0;
  q->items += done ? by : 0;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->mutex);
  return done;
}
static void close_queue(struct queue *q) {
  pthread_mutex_lock(&q->mutex);
  q->closed = 1;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->mutex);
}

static void rest(double milliseconds) {
  struct timespec time = {0, (long)(milliseconds * 1e6)};
  nanosleep(&time, NULL);
}

// Milliseconds of each phase; 0: absent.
struct pipeline {
  const char *name;
  double decode, forward, device, optimizer;
  int loaders;
  void (*run)(const struct pipeline *of, int steps);
  const char *truth;
};

static struct queue batches = QUEUE(3), work = QUEUE(2);

static void *load(void *argument) {
  const struct pipeline *of = argument;
  do {
    __LOOPSCOPE_SPAN(1, PHASE, "decode", 1, "load");
    rest(of->decode);
  } while (change(&batches, 1));
  return NULL;
}

static void *compute(void *argument) {
  const struct pipeline *of = argument;
  while (change(&work, -1)) {
    __LOOPSCOPE_SPAN(2, PHASE, "kernels", 2, "compute");
    rest(of->device);
  }
  return NULL;
}

// Loaders, a trainer and a device, with queues in between.
static void staged(const struct pipeline *of, int steps) {
  pthread_t threads[9];
  int count = 0;
  for (; count < of->loaders; ++count)
    pthread_create(&threads[count], NULL, load, (void *)of);
  if (of->device > 0)
    pthread_create(&threads[count++], NULL, compute, (void *)of);
  {
    __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "staged");
    for (int step = 0;
         step < steps && (of->loaders == 0 || change(&batches, -1)); ++step) {
      __LOOPSCOPE_STEP(11, 10);
      if (of->forward > 0) {
        __LOOPSCOPE_SPAN(12, PHASE, "forward", 12, "staged");
        rest(of->forward);
      }
      if (of->device > 0)
        change(&work, 1);
      if (of->optimizer > 0) {
        __LOOPSCOPE_SPAN(13, PHASE, "optimizer", 13, "staged");
        rest(of->optimizer);
      }
    }
  }
  close_queue(&batches);
  close_queue(&work);
  while (count > 0)
    pthread_join(threads[--count], NULL);
}

// A batch, steps within it, and code after them.
static void nested(const struct pipeline *of, int steps) {
  __LOOPSCOPE_SPAN(20, TRAIN, "train", 20, "nested");
  for (int step = 0; step < steps; ++step) {
    __LOOPSCOPE_STEP(21, 20);
    {
      __LOOPSCOPE_SPAN(22, PHASE, "prepare", 22, "nested");
      rest(of->decode);
    }
    __LOOPSCOPE_SPAN(23, TRAIN, "micro", 23, "nested");
    for (int micro = 0; micro < 3; ++micro) {
      __LOOPSCOPE_STEP(24, 23);
      __LOOPSCOPE_SPAN(25, PHASE, "forward", 25, "nested");
      rest(of->forward);
    }
  }
}

// Two trainers that wait for each other in every step.
static pthread_barrier_t both;
static int barrier_steps;

static void *train_b(void *argument) {
  const struct pipeline *of = argument;
  __LOOPSCOPE_SPAN(30, TRAIN, "train_b", 30, "train_b");
  for (int step = 0; step < barrier_steps; ++step) {
    __LOOPSCOPE_STEP(31, 30);
    {
      __LOOPSCOPE_SPAN(32, PHASE, "forward_b", 32, "train_b");
      rest(of->device);
    }
    pthread_barrier_wait(&both);
  }
  return NULL;
}

static void two_trainers(const struct pipeline *of, int steps) {
  pthread_t other;
  barrier_steps = steps;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&other, NULL, train_b, (void *)of);
  {
    __LOOPSCOPE_SPAN(40, TRAIN, "train_a", 40, "train_a");
    for (int step = 0; step < steps; ++step) {
      __LOOPSCOPE_STEP(41, 40);
      {
        __LOOPSCOPE_SPAN(42, PHASE, "forward_a", 42, "train_a");
        rest(of->forward);
      }
      pthread_barrier_wait(&both);
    }
  }
  pthread_join(other, NULL);
}

static const struct pipeline pipelines[] = {
    {"loader", 18, 6, 4, 4, 1, staged,
     "decode critical\nforward hidden\nkernels hidden\noptimizer hidden\n"},
    {"trainer", 6, 8, 4, 8, 1, staged,
     "decode hidden\nforward critical\nkernels hidden\noptimizer critical\n"},
    {"device", 6, 4, 18, 4, 1, staged,
     "decode hidden\nforward hidden\nkernels critical\noptimizer hidden\n"},
    {"workers", 48, 4, 0, 4, 3, staged,
     "decode critical\nforward hidden\noptimizer hidden\n"},
    {"nothing-hidden", 0, 8, 0, 8, 0, staged,
     "forward critical\noptimizer critical\n"},
    {"nested", 8, 4, 0, 0, 0, nested, "prepare critical\nforward critical\n"},
    {"two-trainers", 0, 8, 18, 0, 0, two_trainers,
     "forward_a hidden\nforward_b critical\n"}};

int main(int count, char **arguments) {
  size_t all = sizeof(pipelines) / sizeof(*pipelines);
  for (size_t i = 0; i < all; ++i) {
    const struct pipeline *of = &pipelines[i];
    if (count == 2)
      puts(of->name);
    else if (count == 3 && strcmp(of->name, arguments[1]) == 0) {
      int steps = atoi(arguments[2]);
      if (steps == 0)
        fputs(of->truth, stdout);
      else
        of->run(of, steps);
      return 0;
    }
  }
  return count != 2;
}
