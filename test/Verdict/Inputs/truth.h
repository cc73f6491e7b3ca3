// Shared by the programs of known truth. Each has one class, named in its line "TRUTH",
// and prints how long its main thread lacked a processor: on a busy machine that is its
// truth.
#ifndef TRUTH_H
#define TRUTH_H

#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// Names mean nothing to the verdict: every program is also run with other names.
#ifdef RENAMED
#define NAMED(NAME) "renamed_" #NAME
#else
#define NAMED(NAME) #NAME
#endif
#define PHASE(ID, NAME)                                                        \
  __LOOPSCOPE_SPAN(ID, PHASE, NAMED(NAME), __LINE__, "main")
#define LOOP() __LOOPSCOPE_SPAN(1, TRAIN, NAMED(train), __LINE__, "main")
#define STEP() __LOOPSCOPE_STEP(2, 1)

static inline double seconds(clockid_t Clock) {
  struct timespec T;
  clock_gettime(Clock, &T);
  return (double)T.tv_sec + (double)T.tv_nsec * 1e-9;
}

// Computes for the given time, however often it is interrupted.
static inline void compute(double Ms) {
  double End = seconds(CLOCK_THREAD_CPUTIME_ID) + Ms / 1e3;
  while (seconds(CLOCK_THREAD_CPUTIME_ID) < End)
    ;
}

static inline void nap(double Ms) { usleep((useconds_t)(Ms * 1e3)); }

// Fresh pages, one fault each.
static inline void fault(size_t Pages) {
  size_t Page = (size_t)sysconf(_SC_PAGESIZE);
  char *Memory = mmap(NULL, Pages * Page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    exit(1);
  madvise(Memory, Pages * Page, MADV_NOHUGEPAGE);
  for (size_t I = 0; I < Pages; ++I)
    Memory[I * Page] = 1;
  munmap(Memory, Pages * Page);
}

// Restricts the calling thread, and threads that it starts, to its current
// processor.
static inline void stayHere(void) {
  cpu_set_t One;
  CPU_ZERO(&One);
  CPU_SET((unsigned)sched_getcpu(), &One);
  sched_setaffinity(0, sizeof(One), &One);
}

static inline void *computeForever(void *Unused) {
  for (;;)
    compute(1000);
  return Unused;
}

static inline double starved(void) {
  double Ran = 0, Waited = 0;
  FILE *File = fopen("/proc/self/schedstat", "r");
  if (File != NULL) {
    if (fscanf(File, "%lf %lf", &Ran, &Waited) != 2)
      Waited = 0;
    fclose(File);
  }
  return Waited / 1e9;
}

// Call it at the end of main.
static inline int finish(void) {
  printf("starved %.6f\n", starved());
  return 0;
}

#endif
