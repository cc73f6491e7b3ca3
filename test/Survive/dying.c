// A report right after a process was killed doesn't take it for a running one, however long it
// needs to end.
// RUN: rm -f %t.loopscope && %gcc -O1 -pthread %runtime_include %s -o %t %runtime_lib
// RUN: %python %S/Inputs/check_dying.py %t %t.loopscope
#include <loopscope/hooks.h>
#include <pthread.h>
#include <stdio.h>

static void *spin(void *unused) {
  for (volatile long turns = 0;;)
    turns = turns + 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 3; ++i)
    pthread_create(&thread, NULL, spin, NULL);
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
  puts("ready");
  fflush(stdout);
  spin(NULL);
  return 0;
}
