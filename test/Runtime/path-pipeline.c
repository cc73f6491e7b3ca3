// A loader on its own thread, a queue of two batches, a trainer: the slower one is the
// critical path of a real run, and the other has slack.
// RUN: rm -f %t.*.loopscope && %build_c -pthread
// RUN: env LOOPSCOPE=trace,report=none,output=%t.loader.loopscope %t 10000 2000
// RUN: loopscope report --view path --format csv %t.loader.loopscope | FileCheck %s --check-prefix=LOADER
// LOADER: stage,phase,on_path_s,on_path_percent,slack_s,steps_percent
// LOADER-NEXT: "fit","decode",{{[0-9.]+}},{{[6-9][0-9]([.][0-9]+)?}},{{[0-9.e-]+}},{{[0-9.]+$}}
// LOADER: "fit","forward",{{[0-9.e-]+}},{{[0-9][0-9]?([.][0-9e-]+)?}},{{[0-9]*[1-9.][0-9.]*}},
// RUN: env LOOPSCOPE=trace,report=none,output=%t.trainer.loopscope %t 2000 10000
// RUN: loopscope report --view path --format csv %t.trainer.loopscope | FileCheck %s --check-prefix=TRAINER
// TRAINER: stage,phase,on_path_s,on_path_percent,slack_s,steps_percent
// TRAINER-NEXT: "fit","forward",{{[0-9.]+}},{{[6-9][0-9]([.][0-9]+)?}},{{[0-9.e-]+}},{{(100|[89][0-9]([.][0-9]+)?)}}{{$}}
// TRAINER: "fit","decode",{{[0-9.e-]+}},{{[0-9][0-9]?([.][0-9e-]+)?}},{{[0-9]*[1-9.][0-9.]*}},
#include <loopscope/hooks.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { Batches = 60, Room = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, taken;
static useconds_t decode_us, forward_us;

static void *load(void *unused) {
  for (int i = 0; i < Batches; ++i) {
    {
      __LOOPSCOPE_SPAN(1, PHASE, "decode", 31, "load");
      usleep(decode_us);
    }
    pthread_mutex_lock(&lock);
    while (ready == Room)
      pthread_cond_wait(&changed, &lock);
    ++ready;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static int next(void) {
  if (taken == Batches)
    return 0;
  pthread_mutex_lock(&lock);
  while (ready == 0)
    pthread_cond_wait(&changed, &lock);
  --ready;
  ++taken;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 1;
}

int main(int count, char **words) {
  decode_us = count > 1 ? (useconds_t)atoi(words[1]) : 0;
  forward_us = count > 2 ? (useconds_t)atoi(words[2]) : 0;
  pthread_t loader;
  pthread_create(&loader, NULL, load, NULL);
  {
    __LOOPSCOPE_SPAN(2, TRAIN, "train", 63, "main");
    while (next()) {
      __LOOPSCOPE_STEP(3, 2);
      __LOOPSCOPE_SPAN(4, PHASE, "forward", 66, "main");
      usleep(forward_us);
    }
  }
  pthread_join(loader, NULL);
}
