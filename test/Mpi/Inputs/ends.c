/* Some steps with an all-reduce each, and an end of the rank's own.
 *
 *   ends STEPS RANK HOW
 *
 * HOW, of that rank, after the last step: late (comes to MPI_Finalize 1 s after the others),
 * absent (13 s later), abort, kill, loop (hangs in a phase), none. All ranks have a phase
 * after MPI_Finalize. With late, rank 2 exits with 3. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <signal.h>
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
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  if (is(how, "abort"))
    MPI_Abort(MPI_COMM_WORLD, 5);
  if (is(how, "kill"))
    raise(SIGKILL);
  if (is(how, "loop")) {
    __LOOPSCOPE_SPAN(4, PHASE, "lost", 4, "main");
    for (;;)
      usleep(10000);
  }
  usleep(is(how, "late") ? 1000000 : is(how, "absent") ? 13000000 : 0);
  MPI_Finalize();
  {
    __LOOPSCOPE_SPAN(5, PHASE, "after", 5, "main");
    usleep(1000);
  }
  return rank == 2 && is(argv[3], "late") ? 3 : 0;
}
