/* A phase around MPI calls; with WORKER, some of them are in a library (worker.c). */
#include <loopscope/hooks.h>
#include <mpi.h>

extern int work(void);

int main(int argc, char **argv) {
  __LOOPSCOPE_SPAN(1, PHASE, "phase", 1, "main");
#ifdef WORKER
  return work();
#else
  int rank, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
#endif
}
