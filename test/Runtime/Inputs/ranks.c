/* A rank (RANK of WORLD_SIZE) of a run that sleeps instead of computing, with a
 * barrier at the end of each step, in memory that the ranks share.
 *
 *   ranks SHARED LOG STEPS LATE PHASE MS
 *
 * SHARED: a file of zeros, at least 4096 bytes. LATE: the late rank, -1: none, -2: a different
 * one in each step. PHASE: load, forward or backward, which takes the late rank MS
 * milliseconds longer. LOG gets a line per step, in nanoseconds: the program's own times
 * of reaching and leaving the barrier, and the duration of each phase. */
#include <fcntl.h>
#include <loopscope/hooks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct shared {
  int arrived;
  int round;
};

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void barrier(struct shared *all, int size) {
  int round = __atomic_load_n(&all->round, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&all->arrived, 1, __ATOMIC_ACQ_REL) == size) {
    __atomic_store_n(&all->arrived, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&all->round, round + 1, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&all->round, __ATOMIC_ACQUIRE) == round)
    usleep(100);
}

static void reduce(struct shared *all, int size) {
  __LOOPSCOPE_SPAN(10, COLLECTIVE, "reduce", 10, "reduce");
  __LOOPSCOPE_BYTES(10, 4096);
  barrier(all, size);
}

static long long spend(const char *phase, const char *late_phase, int late,
                       int ms) {
  long long start = now();
  usleep(3000);
  if (late && strcmp(phase, late_phase) == 0)
    usleep((unsigned)ms * 1000);
  return now() - start;
}

int main(int count, char **args) {
  if (count != 7)
    return 2;
  int rank = atoi(getenv("RANK")), size = atoi(getenv("WORLD_SIZE"));
  int steps = atoi(args[3]), late = atoi(args[4]), ms = atoi(args[6]);
  int file = open(args[1], O_RDWR);
  struct shared *all =
      mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  FILE *log = fopen(args[2], "w");
  if (file < 0 || all == MAP_FAILED || log == 0)
    return 2;
  reduce(all, size); /* so that all begin together; not in a step */
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
  for (int i = 0; i < steps; ++i) {
    __LOOPSCOPE_STEP(2, 1);
    int is_late = late == rank || (late == -2 && i * 7 % 11 % size == rank);
    long long load, forward, backward;
    {
      __LOOPSCOPE_SPAN(3, PHASE, "load", 3, "main");
      load = spend("load", args[5], is_late, ms);
    }
    {
      __LOOPSCOPE_SPAN(4, PHASE, "forward", 4, "main");
      forward = spend("forward", args[5], is_late, ms);
    }
    {
      __LOOPSCOPE_SPAN(5, PHASE, "backward", 5, "main");
      backward = spend("backward", args[5], is_late, ms);
    }
    long long enter = now();
    reduce(all, size);
    long long leave = now();
    fprintf(log, "%lld %lld %lld %lld %lld\n", enter, leave, load, forward,
            backward);
  }
  return fclose(log) != 0;
}
