// Threads have the names that the program gives them; the system's names stay, and "main" does.
// RUN: rm -f %t.loopscope && %build_c -pthread
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t
// RUN: not loopscope report --thread none %t.loopscope 2>&1 | FileCheck %s
// CHECK-DAG: loader 7{{(,|$)}}
// CHECK-DAG: a name of more than thirty-one{{ ?(,|$)}}
// CHECK-DAG: use one of main, 
// RUN: env LOOPSCOPE=off %t
#include <loopscope/loopscope.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

static const loopscope_site site = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "load", 1, "load");
static const loopscope_site train = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "train", 1, "main");
static pthread_barrier_t both;

static void *load(void *name) {
  char before[16], after[16];
  prctl(PR_GET_NAME, before);
  loopscope_name_thread("another");
  loopscope_name_thread(name);
  loopscope_name_thread("");
  loopscope_name_thread(0);
  prctl(PR_GET_NAME, after);
  if (strcmp(before, after) != 0)
    abort();
  loopscope_leave(loopscope_enter(&site));
  pthread_barrier_wait(&both); // so that each has a tree
  return 0;
}

int main(void) {
  loopscope_leave(loopscope_enter(&train));
  loopscope_name_thread("trainer");
  pthread_t first, second;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&first, 0, load, (void *)"loader 7");
  pthread_create(&second, 0, load, (void *)"a name of more than thirty-one bytes");
  pthread_join(first, 0);
  pthread_join(second, 0);
}
