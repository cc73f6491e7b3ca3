/* Steps with a phase and an all-reduce. Each rank writes between which two readings of
 * CLOCK_MONOTONIC, which is ahead on host beta, each phase began, in nanoseconds, to
 * true.RANK.
 *
 *   clocks STEPS SECONDS_AHEAD
 */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long reading(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv) {
  int rank, sum, steps = atoi(argv[1]);
  long long ahead = 0;
  char name[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  gethostname(name, sizeof(name));
  if (strcmp(name, "beta") == 0)
    ahead = atoll(argv[2]) * 1000000000;
  snprintf(name, sizeof(name), "true.%d", rank);
  FILE *out = fopen(name, "w");
  {
    __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
    for (int i = 0; i < steps; ++i) {
      __LOOPSCOPE_STEP(2, 1);
      {
        long long before = reading();
        __LOOPSCOPE_SPAN(3, PHASE, "forward", 3, "main");
        long long after = reading();
        fprintf(out, "%lld %lld\n", before - ahead, after - ahead);
        usleep(rank % 2 == 1 ? 3000 : 1000);
      }
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  fclose(out);
  MPI_Finalize();
  return 0;
}
