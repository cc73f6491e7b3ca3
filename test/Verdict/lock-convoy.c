// Four threads take turns holding something while they do slow work.
// RUN: %truth %s
// TRUTH: blocked: update: waiting off the CPU
#include "truth.h"

enum { Threads = 4 };
static pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t Changed = PTHREAD_COND_INITIALIZER;
static int Turn;

static void update(int Mine) {
  pthread_mutex_lock(&Lock);
  while (Turn != Mine)
    pthread_cond_wait(&Changed, &Lock);
  nap(2);
  Turn = (Turn + 1)% Threads;
  pthread_cond_broadcast(&Changed);
  pthread_mutex_unlock(&Lock);
}

static void *others(void *Mine) {
  for (;;)
    update((int)(intptr_t)Mine);
  return NULL;
}

int main(void) {
  pthread_t Thread;
  for (intptr_t I = 1; I < Threads; ++I)
    pthread_create(&Thread, NULL, others, (void *)I);
  LOOP();
  for (int I = 0; I < 20; ++I) {
    STEP();
    {
      PHASE(3, forward);
      compute(1);
    }
    PHASE(4, update); // HERE
    update(0);
  }
  return finish();
}
