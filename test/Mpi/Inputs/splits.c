/* A new communicator in each of 400 steps, now with one rank, now with another, and then calls that are new. */
#include <loopscope/hooks.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int me;
  float x = 1, y, all[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  for (int i = 0; i < 400; ++i) {
    MPI_Comm c;
    MPI_Comm_split(MPI_COMM_WORLD, (me + i) % 2, me, &c);
    MPI_Allreduce(&x, &y, 1, MPI_FLOAT, MPI_SUM, c);
    MPI_Comm_free(&c);
  }
  for (int i = 0; i < 100; ++i) {
    MPI_Allgather(&x, 1, MPI_FLOAT, all, 1, MPI_FLOAT, MPI_COMM_WORLD);
    MPI_Scan(&x, &y, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
