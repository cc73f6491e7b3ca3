/* Rank 1 is killed in its tenth step, while the others wait for it in an all-reduce. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
  for (int i = 0; i < 100; ++i) {
    __LOOPSCOPE_STEP(2, 1);
    {
      __LOOPSCOPE_SPAN(3, PHASE, "work", 3, "main");
      usleep(2000);
    }
    if (i == 9 && rank == 1) {
      usleep(300000);
      raise(SIGKILL);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
