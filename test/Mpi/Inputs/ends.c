/* A number of steps with one all-reduce each, and a special end of one rank.
 *
 *   ends STEPS RANK HOW
 *
 * HOW that rank ends after the last step: late (reaches MPI_Finalize 1 s after the others),
 * slow (13 s), absent (exits without it), leaves (the same, 1 s after the others), abort, none; or stuck, in a phase before its last all-reduce.
 * All ranks have a phase after MPI_Finalize. With late, rank 2 exits with 3. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

int main(int argc, char **argv) {
  int rank, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int steps = atoi(argv[1]);
  const char *how = rank == atoi(argv[2]) ? argv[3] : "none";
  {
    __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
    for (int i = 0; i < steps; ++i) {
      __LOOPSCOPE_STEP(2, 1);
      {
        __LOOPSCOPE_SPAN(3, PHASE, "work", 3, "main");
        usleep(rank == 1 ? 3000 : 1000);
      }
      if (is(how, "stuck") && i == steps - 1) {
        __LOOPSCOPE_SPAN(4, PHASE, "lost", 4, "main");
        sleep(60);
      }
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  if (is(how, "abort"))
    MPI_Abort(MPI_COMM_WORLD, 5);
  if (is(how, "absent"))
    _exit(4);
  if (is(how, "leaves")) {
    sleep(1);
    _exit(4);
  }
  if (is(how, "slow"))
    sleep(13);
  usleep(is(how, "late") ? 1000000 : 0);
  MPI_Finalize();
  {
    __LOOPSCOPE_SPAN(5, PHASE, "after", 5, "main");
    usleep(1000);
  }
  return rank == 2 && is(argv[3], "late") ? 3 : 0;
}
