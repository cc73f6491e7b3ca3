// Parts that end while other threads meet new call paths hold whole trees: few records, of paths that were new then, are without
// what they refer to.
// RUN: rm -rf %t.* && %gcc -O1 %runtime_include %s -o %t %runtime_lib && mkdir %t.d
// RUN: env LOOPSCOPE=report=none,output=%t.d/run.loopscope %t
// RUN: for part in %t.d/*; do loopscope report $part --view tree; done | awk '/records?: damaged/ && $1 > most {most = $1} END {print most < 30 ? "few" : "many: " most}' | FileCheck %s --match-full-lines
// CHECK:few
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile int stop;
static void walk(unsigned *seed, int depth) {
  unsigned r = *seed = *seed * 1103515245u + 12345u;
  switch (r >> 16 & 3) {
  case 0: { __LOOPSCOPE_SPAN(1, PHASE, "a", 1, "f"); if (depth) walk(seed, depth - 1); break; }
  case 1: { __LOOPSCOPE_SPAN(2, PHASE, "b", 2, "f"); if (depth) walk(seed, depth - 1); break; }
  case 2: { __LOOPSCOPE_SPAN(3, PHASE, "c", 3, "f"); if (depth) walk(seed, depth - 1); break; }
  default: { __LOOPSCOPE_SPAN(4, PHASE, "d", 4, "f"); if (depth) walk(seed, depth - 1); break; }
  }
}
static void *work(void *arg) {
  unsigned seed = (unsigned)(long)arg;
  for (int i = 0; i < 3000 && !stop; ++i) { walk(&seed, 6); if (i % 8 == 0) usleep(100); }
  return 0;
}
int main(void) {
  pthread_t t[6];
  { __LOOPSCOPE_SPAN(5, PHASE, "main", 5, "main"); usleep(1000); }
  for (long i = 0; i < 6; ++i) pthread_create(&t[i], 0, work, (void *)(i * 7919 + 3));
  for (int i = 0; i < 60; ++i) { usleep(500); loopscope_reset(); }
  stop = 1;
  for (int i = 0; i < 6; ++i) pthread_join(t[i], 0);
}
