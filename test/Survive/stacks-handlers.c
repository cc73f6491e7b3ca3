// The program sees none of the sampling: no handler of its own is called, for whichever
// signal and however late it is set, and no system call is interrupted. Meanwhile libc's
// use of the samples' signal works: a change of user in all threads.
// REQUIRES: long
// RUN: env SURVIVE_OPTIONS=stacks %survive_c
// RUN: loopscope report --view functions --format csv %t.loopscope | FileCheck %s
// RUN: env SURVIVE_OPTIONS=stacks=2000 %survive_c
// RUN: loopscope report --view functions --format csv %t.loopscope | FileCheck %s
// CHECK-DAG: "alone","main","burn",
// CHECK-DAG: "handled","main","burn",
// CHECK-DAG: "threads","main","burn",
// RUN: loopscope report %t.loopscope | not grep "without samples"
#define _GNU_SOURCE
#include "survive.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;
static volatile sig_atomic_t calls[128];
static int interrupted;

static void handle(int number) { ++calls[number]; }

// Half a second of processor time, much of it in system calls that signals interrupt.
__attribute__((noinline)) static void burn(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  long end = t.tv_sec * 1000 + t.tv_nsec / 1000000 + ENOUGH(500);
  do {
    for (int i = 0; i < 20000; ++i)
      sink = sink * 0.999 + 1;
    struct timespec moment = {0, 1000};
    interrupted += nanosleep(&moment, NULL) != 0;
    interrupted += poll(NULL, 0, 0) != 0;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < end);
}

static void *other(void *unused) {
  burn();
  return unused;
}

int main(void) {
  {
    PHASE(1, "alone");
    burn();
  }
  for (int number = 1; number <= SIGRTMAX; ++number) {
    if (number != SIGCHLD && signal(number, handle) == SIG_ERR)
      printf("%d is refused\n", number);
  }
  {
    PHASE(2, "handled");
    burn();
  }
  printf("%d calls were interrupted\n", interrupted);
  {
    PHASE(3, "threads");
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int i = 0; i < 100; ++i)
      if (setuid(getuid()) != 0)
        printf("setuid: %s\n", strerror(errno));
    burn();
    pthread_join(thread, NULL);
  }
  for (int number = 1; number < 128; ++number)
    if (calls[number] != 0)
      printf("%d: called\n", number);
}
