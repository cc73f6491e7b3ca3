/* A rank of a run that sleeps instead of computing, with an all-reduce at the end of each step.
 *
 *   late LOG STEPS LATE PHASE MS
 *
 * Like test/Runtime/Inputs/ranks.c; the log is LOG.RANK. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long spend(const char *phase, const char *late_phase, int late,
                       int ms) {
  long long start = now();
  usleep(5000);
  if (late && strcmp(phase, late_phase) == 0)
    usleep((unsigned)ms * 1000);
  return now() - start;
}

int main(int count, char **args) {
  MPI_Init(&count, &args);
  if (count != 6)
    MPI_Abort(MPI_COMM_WORLD, 2);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char path[4096];
  snprintf(path, sizeof(path), "%s.%d", args[1], rank);
  FILE *log = fopen(path, "w");
  int steps = atoi(args[2]), late = atoi(args[3]), ms = atoi(args[5]);
  MPI_Barrier(MPI_COMM_WORLD);
  {
    __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
    for (int i = 0; i < steps; ++i) {
      __LOOPSCOPE_STEP(2, 1);
      int is_late = late == rank || (late == -2 && i * 7 % 11 % size == rank);
      long long load, forward, backward;
      float loss = 1, all;
      {
        __LOOPSCOPE_SPAN(3, PHASE, "load", 3, "main");
        load = spend("load", args[4], is_late, ms);
      }
      {
        __LOOPSCOPE_SPAN(4, PHASE, "forward", 4, "main");
        forward = spend("forward", args[4], is_late, ms);
      }
      __LOOPSCOPE_SPAN(5, PHASE, "backward", 5, "main");
      backward = spend("backward", args[4], is_late, ms);
      long long enter = now();
      MPI_Allreduce(&loss, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      long long leave = now();
      fprintf(log, "%lld %lld %lld %lld %lld\n", enter, leave, load, forward,
              backward);
    }
  }
  fclose(log);
  MPI_Finalize();
  return 0;
}
