// If timers, which follow the kernel's ticks, give fewer samples than the CPU time
// implies, perf events take over, in existing and new threads. Here a thread that blocks
// the signal, past libc, causes the difference.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %gcc -O1 -g -Wall -Werror %runtime_include %s -o mislead %runtime_lib
// RUN: env LOOPSCOPE=stacks,report=none,output=p.loopscope ./mislead > out
// RUN: FileCheck %s < out
// CHECK: {{^(from timers to events|skipped: .*)$}}
// RUN: loopscope report --view functions --format csv p.loopscope | FileCheck %s --check-prefix=SAMPLES
// Out of an expected 500.
// SAMPLES: "work","main","after","mislead","{{.*}}.c",{{[0-9]+,[1-9][0-9][0-9],.*$}}
#include <dirent.h>
#include <linux/perf_event.h>
#include <loopscope/hooks.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static volatile double sink;
__attribute__((noinline)) static void after(double seconds) {
  for (double end = cpu() + seconds; cpu() < end;)
    for (int i = 0; i < 100000; ++i)
      sink = sink * 0.999 + 1;
}

static volatile int stop;
static void *blocking(void *unused) {
  unsigned long all = ~0ul;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, 0, sizeof(all));
  while (!stop)
    sink = 1;
  return unused;
}

static int events(void) {
  int found = 0;
  DIR *files = opendir("/proc/self/fd");
  for (struct dirent *each; (each = readdir(files)) != 0;) {
    char to[64] = "";
    if (readlinkat(dirfd(files), each->d_name, to, sizeof(to) - 1) > 0)
      found += strstr(to, "perf_event") != 0;
  }
  closedir(files);
  return found;
}

static int mayUseEvents(void) {
  struct perf_event_attr event = {0};
  event.type = PERF_TYPE_SOFTWARE;
  event.size = sizeof(event);
  event.config = PERF_COUNT_SW_TASK_CLOCK;
  event.exclude_kernel = 1;
  long file = syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
  if (file >= 0)
    close((int)file);
  return file >= 0;
}

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  struct timespec tick;
  clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
  if (tick.tv_nsec > 4000000 || !mayUseEvents()) {
    printf("skipped: there are events from the start, or none at all\n");
    after(2);
    return 0;
  }
  if (events() != 0)
    printf("events from the start\n");
  pthread_t thread;
  pthread_create(&thread, 0, blocking, 0);
  while (events() == 0)
    usleep(10000);
  stop = 1;
  pthread_join(thread, 0);
  printf("from timers to events\n");
  after(2);
}
