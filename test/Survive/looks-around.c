// What a program reads about itself is what it reads without hooks: limits, umask, locale,
// priorities, masks, pending signals, timers, stack for handlers, names of its threads,
// descriptors, the kernel's flags and environment; before the first hook, after it, while the sampler
// works, and at exit.
// RUN: %survive_c
// RUN: env SURVIVE_OPTIONS=trace,devices=10 %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}work,4{{$}}
#define _GNU_SOURCE
#include "survive.h"
#include <dirent.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

static void work(void) { PHASE(1, "work"); }

static int entries(const char *directory) {
  int count = 0;
  DIR *open = opendir(directory);
  while (open && readdir(open))
    ++count;
  if (open)
    closedir(open);
  return count;
}

static void look(void) {
  sigset_t blocked, pending;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  sigpending(&pending);
  for (int number = 1; number < 65; ++number)
    if (sigismember(&blocked, number) == 1 || sigismember(&pending, number) == 1)
      printf("signal %d\n", number);
  for (int limit = 0; limit < RLIM_NLIMITS; ++limit) {
    struct rlimit value;
    getrlimit(limit, &value);
    printf("%llx %llx ", (unsigned long long)value.rlim_cur,
           (unsigned long long)value.rlim_max);
  }
  for (int which = ITIMER_REAL; which <= ITIMER_PROF; ++which) {
    struct itimerval timer;
    getitimer(which, &timer);
    printf("%d ", timer.it_value.tv_sec > 0);
  }
  stack_t handlers;
  sigaltstack(NULL, &handlers);
  mode_t mask = umask(0);
  umask(mask);
  char name[17] = "";
  prctl(PR_GET_NAME, name);
  cpu_set_t processors;
  sched_getaffinity(0, sizeof(processors), &processors);
  // The profile's name differs between the two runs, and so LOOPSCOPE.
  unsigned hash = 0;
  for (char **variable = environ; *variable; ++variable)
    if (strncmp(*variable, "LOOPSCOPE=", 10) != 0)
      for (char *at = *variable; *at; ++at)
        hash = hash * 31 + (unsigned char)*at;
  // The programs' names have the same length.
  name[2] = 0;
  printf("%d %o %s %s %d %d %d %d %d %d %x %d\n", handlers.ss_flags, mask,
         setlocale(LC_ALL, NULL), name, getpriority(PRIO_PROCESS, 0),
         sched_getscheduler(0), CPU_COUNT(&processors),
         (int)prctl(PR_GET_DUMPABLE), (int)prctl(PR_GET_TIMERSLACK),
         (int)prctl(PR_GET_CHILD_SUBREAPER, &(int){0}), hash,
         entries("/proc/self/fd"));
  fflush(stdout);
}

static void *thread(void *argument) {
  pthread_setname_np(pthread_self(), "worker");
  work();
  look();
  return argument;
}

static void at_exit(void) {
  work();
  look();
}

int main(void) {
  pthread_t id;
  umask(027);
  atexit(at_exit);
  look();
  work();
  look();
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
  setlocale(LC_ALL, "C.UTF-8");
  setenv("OF_THE_PROGRAM", "1", 1);
  setitimer(ITIMER_VIRTUAL, &(struct itimerval){{0, 0}, {100, 0}}, NULL);
  nice(1);
  usleep(50000);
  work();
  look();
}
