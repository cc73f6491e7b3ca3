// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads, a validation loop, a function and a forked child, whose printed results
// don't depend on time.

#include <loopscope/hooks.h>

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long seeds[300];

static void *load(void *unused) {
  for (unsigned long i = 0; i < 300; ++i) {
    __LOOPSCOPE_SPAN(1, PHASE, "decode", 1, "load");
    usleep(500);
    seeds[i] = (i + 1) * 2654435761u;
  }
  return unused;
}

static unsigned long mix(unsigned long from) {
  __LOOPSCOPE_SPAN(2, FUNCTION, "mix", 2, "mix");
  for (int i = 0; i < 100000; ++i)
    from = from * 6364136223846793005u + 1442695040888963407u;
  return from;
}

int main(void) {
  pthread_t loader;
  unsigned long sum = 0, checked = 0;
  pthread_create(&loader, NULL, load, NULL);
  {
    __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main");
    for (unsigned long step = 0; step < 300; ++step) {
      __LOOPSCOPE_STEP(11, 10);
      {
        __LOOPSCOPE_SPAN(12, PHASE, "forward", 12, "main");
        sum = mix(sum ^ step);
        usleep(1000);
      }
      __LOOPSCOPE_SPAN(13, PHASE, "optimizer", 13, "main");
      usleep(1000);
    }
  }
  pthread_join(loader, NULL);
  {
    __LOOPSCOPE_SPAN(20, VALID, "valid", 20, "main");
    for (int step = 0; step < 20; ++step) {
      __LOOPSCOPE_STEP(21, 20);
      __LOOPSCOPE_SPAN(22, PHASE, "check", 22, "main");
      checked += seeds[step * 15];
      usleep(500);
    }
  }
  printf("%lx %lx\n", sum, checked);
  fflush(stdout);
  if (fork() == 0) {
    __LOOPSCOPE_SPAN(30, TRAIN, "child", 30, "main");
    for (int step = 0; step < 100; ++step) {
      __LOOPSCOPE_STEP(31, 30);
      __LOOPSCOPE_SPAN(32, PHASE, "alone", 32, "main");
      usleep(1000);
    }
    return 0;
  }
  int status;
  wait(&status);
  return status != 0;
}
