/* Eight ranks, of which rank 2 never sends or takes a message: all others wait, each in another call. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, in[4] = {0}, out = 1;
  MPI_Comm other;
  MPI_Request all[5];
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other); /* rank 7 is its first */
  for (int i = 0; i < 4; ++i)
    all[i] = MPI_REQUEST_NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);
  } else if (rank == 1) {
    MPI_Irecv(in, 1, MPI_INT, 7 - 2, 0, other, &all[0]);
    MPI_Wait(&all[0], MPI_STATUS_IGNORE);
  } else if (rank == 2) {
    __LOOPSCOPE_SPAN(1, PHASE, "lost", 1, "main");
    sleep(600);
  } else if (rank == 3) {
    MPI_Irecv(&in[0], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &all[1]);
    MPI_Issend(&out, 1, MPI_INT, 4, 9, MPI_COMM_WORLD, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
  } else if (rank == 4) {
    MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
  } else if (rank == 5) {
    MPI_Probe(2, 0, MPI_COMM_WORLD, &status);
  } else if (rank == 6) {
    MPI_Ssend(&out, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  } else {
    MPI_Sendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 0, in, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status);
  }
  MPI_Finalize();
  return 0;
}
