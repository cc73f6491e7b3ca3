/* Calls MPI 4's functions with 64-bit counts. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static int in[8], out[8];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
    MPI_Allreduce_c(in, out, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    /* With a single rank nothing is touched: more than an int can count. */
    MPI_Bcast_c(in, 3000000000, MPI_BYTE, 0, MPI_COMM_SELF);
    MPI_Request sent;
    MPI_Isend_c(in, 4, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &sent);
    MPI_Recv_c(out, 8, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
