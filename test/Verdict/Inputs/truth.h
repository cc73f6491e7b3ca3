// Shared by the programs of known truth. Each has one class, named in its line "TRUTH",
// and prints how long its main thread lacked a processor: on a busy machine that is its
// truth.
//
// Ways to run the same program, of the same truth: WORKER, its loop in another thread; POOL,
// beside threads that do a little now and then; VALIDATION, a short validation in each fourth
// step; SPINNERS, beside three processes that compute on its only processor (its truth may be
// that it has none).
#ifndef TRUTH_H
#define TRUTH_H

#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
#ifdef VALIDATION
#define STEP()                                                                 \
  __LOOPSCOPE_STEP(2, 1);                                                      \
  validateNowAndThen()
#else
#define STEP() __LOOPSCOPE_STEP(2, 1)
#endif

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
  FILE *File = fopen("/proc/thread-self/schedstat", "r");
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

static inline void validateNowAndThen(void) {
  static int Steps;
  if (++Steps % 4 != 0)
    return;
  __LOOPSCOPE_SPAN(21, VALID, NAMED(valid), __LINE__, "validate");
  for (int I = 0; I < 2; ++I) {
    __LOOPSCOPE_STEP(22, 21);
    __LOOPSCOPE_SPAN(23, PHASE, NAMED(evaluate), __LINE__, "validate");
    nap(0.5);
    compute(0.5);
  }
}

#if defined(WORKER) || defined(POOL) || defined(SPINNERS)
int runProgram(void);

static inline void *runInThread(void *Result) {
  *(int *)Result = runProgram();
  return NULL;
}

static inline void *doLittle(void *Unused) {
  for (;;) {
    nap(2);
    compute(0.05);
  }
  return Unused;
}

static inline void spinBeside(void) {
  stayHere();
  for (int I = 0; I < 3; ++I) {
    pid_t Parent = getpid();
    if (fork() != 0)
      continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == Parent)
      compute(10);
    _exit(0);
  }
}

int main(void) {
#if defined(WORKER)
  int Result = 1;
  pthread_t Thread;
  pthread_create(&Thread, NULL, runInThread, &Result);
  pthread_join(Thread, NULL);
  return Result;
#elif defined(POOL)
  pthread_t Thread;
  for (int I = 0; I < 3; ++I)
    pthread_create(&Thread, NULL, doLittle, NULL);
  return runProgram();
#else
  spinBeside();
  return runProgram();
#endif
}
#define main runProgram
#endif

#endif
