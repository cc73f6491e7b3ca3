// None of the program's signals is ever delivered to the sampler.
// RUN: env SURVIVE_OPTIONS=devices=10ms %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}work,1{{$}}
#include "survive.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static pthread_t first;
static volatile sig_atomic_t here, elsewhere;

static void handle(int number) {
  (void)number;
  if (pthread_equal(pthread_self(), first))
    ++here;
  else
    ++elsewhere;
}

int main(void) {
  first = pthread_self();
  signal(SIGUSR1, handle);
  PHASE(1, "work");
  // Blocked here, a signal waits for this thread instead of going to another one.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  kill(getpid(), SIGUSR1);
  usleep(50000);
  printf("%d %d\n", here, elsewhere);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  printf("%d %d\n", here, elsewhere);
}
