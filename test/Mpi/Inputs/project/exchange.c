#include <mpi.h>

int exchange(int mine) {
  int all;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
