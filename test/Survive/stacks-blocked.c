// A thread that blocks every signal is sampled like any other, and no signal is pending
// there, whichever way the program looks: with timers and with perf events, in the main
// thread and in others.
// RUN: env SURVIVE_OPTIONS=stacks %survive_c
// RUN: loopscope report --view functions --format csv %t.loopscope | FileCheck %s
// RUN: env SURVIVE_OPTIONS=stacks=2000 %survive_c
// RUN: loopscope report --view functions --format csv %t.loopscope | FileCheck %s
// CHECK-DAG: "work","main","burn",
// CHECK-DAG: "other","{{[^"]*}}","burn",
#define _GNU_SOURCE
#include "survive.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

__attribute__((noinline)) static void burn(void) {
  struct timespec t;
  do {
    for (int i = 0; i < 100000; ++i)
      sink = sink * 0.999 + 1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ENOUGH(600));
}

static void look(const char *where) {
  sigset_t all, pending;
  sigfillset(&all);
  sigemptyset(&pending);
  sigpending(&pending);
  for (int number = 1; number <= SIGRTMAX; ++number)
    if (sigismember(&pending, number) == 1)
      printf("%s: signal %d is pending\n", where, number);
  struct signalfd_siginfo from;
  int file = signalfd(-1, &all, SFD_NONBLOCK);
  if (read(file, &from, sizeof(from)) > 0)
    printf("%s: signalfd has signal %u\n", where, from.ssi_signo);
  close(file);
  struct timespec now = {0, 0};
  siginfo_t info;
  int number = sigtimedwait(&all, &info, &now);
  if (number > 0)
    printf("%s: sigtimedwait returns signal %d\n", where, number);
  printf("%s: %.0f\n", where, sink > 0 ? 1.0 : 0.0);
}

static void *other(void *unused) {
  PHASE(1, "other");
  burn();
  look("other");
  return unused;
}

int main(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  PHASE(2, "work");
  burn();
  look("main");
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
}
