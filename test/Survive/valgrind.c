// Under valgrind a program runs as before, memcheck finds nothing in the runtime, and
// the profile has every span, with processor figures (cpu=auto is the default) and
// without.
// REQUIRES: valgrind, plain-words
// RUN: env SURVIVE_RUN='valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite "$@"' %survive_c
// RUN: count 0 < %t.err
// RUN: %calls | FileCheck %s
// RUN: loopscope report --view simple --format csv %t.loopscope | %python %S/Inputs/has_cpu.py sleep thread
// RUN: env SURVIVE_OPTIONS=cpu=off SURVIVE_RUN='valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite "$@"' %survive_c
// RUN: count 0 < %t.err
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}sleep,5{{$}}
// CHECK-DAG: {{^}}thread,2{{$}}
// CHECK-DAG: {{^}}deep,200{{$}}
#include "survive.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *unused) {
  PHASE(2, "thread");
  usleep(50000);
  return unused;
}

// One call path per level, so that the profile grows.
static void recurse(int depth) {
  PHASE(3, "deep");
  if (depth > 1)
    recurse(depth - 1);
}

int main(void) {
  for (int i = 0; i < 5; ++i) {
    PHASE(1, "sleep");
    usleep(50000);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) == 0)
      pthread_join(thread, NULL);
  }
  recurse(200);
  puts("done");
}
