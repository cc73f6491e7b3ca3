// Two ranks take turns in coming late to a collective. Rank 0 pauses its recording in one of them.
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>
#include <mpi.h>
#include <time.h>

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0;
  double own = 1, all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
  for (int i = 0; i < 80; ++i) {
    __LOOPSCOPE_STEP(2, 1);
    struct timespec time = {0, i % 2 == rank ? 12000000 : 2000000};
    nanosleep(&time, NULL);
    if (rank == 0 && i == 11)
      loopscope_pause();
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && i == 11)
      loopscope_resume();
  }
  MPI_Finalize();
}
