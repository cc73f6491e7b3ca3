// A profiler of the program (SIGPROF) and samples don't see each other, although timers
// expire at the same ticks of the kernel: neither finds the program in the other's
// handler, and the profiler's signal stays on the thread that uses the processor.
// A virtual machine can lose its processor inside the profiler's handler: then a tick waits there.
// DEFINE: %{no_ticks} = awk -F, '$2 == "\"tick\"" { tick = $3 } $2 == "\"burn\"" { burn = $3 } END { exit !(burn > 20 && tick < burn / 20) }'
// REQUIRES: long
// RUN: env SURVIVE_OPTIONS=stacks SURVIVE_RUN='"$@" process 1' %survive_c
// RUN: loopscope report --view functions --columns function,count --format csv %t.loopscope | %{no_ticks}
// RUN: env SURVIVE_OPTIONS=stacks SURVIVE_RUN='"$@" process 2' %survive_c
// RUN: env SURVIVE_OPTIONS=stacks SURVIVE_RUN='"$@" thread 1' %survive_c
// RUN: loopscope report --view functions --columns function,count --format csv %t.loopscope | %{no_ticks}
// RUN: env SURVIVE_OPTIONS=stacks SURVIVE_RUN='"$@" thread 2' %survive_c
// RUN: loopscope report --view functions --columns function,count --format csv %t.loopscope | %{no_ticks}

// Beside a profiler of several threads, samples need perf events.
// RUN: env SURVIVE_OPTIONS=stacks SURVIVE_RUN='"$@" process 2 refused' %survive_c
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=REFUSED
// REFUSED: {{^}}1 run: in which some threads had no samples while another profiler's SIGPROF timer ran: beside it, samples of several threads need perf events.{{$}}
#define _GNU_SOURCE
#include "survive.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile double sink;
static volatile int inside, outside, sleeping, main_id;
extern char __start_measured[], __stop_measured[];

static void tick(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
#ifdef __x86_64__
  char *at = (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
  char *at = context ? __start_measured : 0;
#endif
  int here = at >= __start_measured && at < __stop_measured;
  __atomic_fetch_add(here ? &inside : &outside, 1, __ATOMIC_RELAXED);
  if (syscall(SYS_gettid) == main_id)
    ++sleeping;
}

__attribute__((noinline, section("measured"))) static void burn(void) {
  for (int i = 0; i < 1000000; ++i)
    sink = sink * 0.999 + 1;
}

static void burn_for(double seconds) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  double end = (double)t.tv_sec + (double)t.tv_nsec * 1e-9 + seconds;
  do {
    burn();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  } while ((double)t.tv_sec + (double)t.tv_nsec * 1e-9 < end);
}

// A timer on the calling thread's CPU time, as profilers of threads have it.
static void profile_thread(void) {
  struct sigevent event = {0};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = (int)syscall(SYS_gettid);
  timer_t timer;
  struct itimerspec every = {{0, 4000000}, {0, 4000000}};
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0 ||
      timer_settime(timer, 0, &every, NULL) != 0)
    perror("timer");
}

static int of_threads;
static volatile int running;

static void *work(void *unused) {
  if (of_threads)
    profile_thread();
  PHASE(1, "work");
  // On a busy machine, the profiler's ticks are few.
  for (int rounds = 0; rounds < 20 && (rounds == 0 || inside + outside < 60); ++rounds)
    burn_for(0.8);
  --running;
  return unused;
}

static void forbid_events(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  if (argc > 4)
    forbid_events();
  of_threads = strcmp(argv[2], "thread") == 0;
  struct sigaction action = {0};
  action.sa_sigaction = tick;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, NULL);
  struct itimerval every = {{0, 10000}, {0, 10000}};
  if (!of_threads)
    setitimer(ITIMER_PROF, &every, NULL);
  PHASE(2, "main");
  if (atoi(argv[3]) == 1) {
    work(NULL);
    sleeping = 0;
  } else {
    main_id = (int)syscall(SYS_gettid);
    pthread_t threads[2];
    running = 2;
    for (int i = 0; i < 2; ++i)
      pthread_create(&threads[i], NULL, work, NULL);
    int interrupted = 0;
    while (running > 0) {
      struct timespec moment = {0, 1000000};
      interrupted += nanosleep(&moment, NULL) != 0;
    }
    for (int i = 0; i < 2; ++i)
      pthread_join(threads[i], NULL);
    printf("often interrupted: %d\n", interrupted > 8);
  }
  fprintf(stderr, "%d in the measured code, %d outside, %d on a thread that sleeps\n", inside, outside, sleeping);
  printf("in the measured code: %d\n", inside > 30 && outside < inside / 4);
  printf("on a thread that sleeps: %d\n", sleeping > inside / 8);
}
