// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The time of MPI calls on a communicator of one rank, where nobody waits:
 * nanoseconds, the minimum of many rounds. mpi-calls.sh runs it plain and with
 * the wrappers. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 200, CALLS = 200 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define MEASURE(NAME, CALL)                                                    \
  {                                                                            \
    double least = 1e18;                                                       \
    for (int r = 0; r < ROUNDS; ++r) {                                         \
      double start = now();                                                    \
      for (int i = 0; i < CALLS; ++i) {                                        \
        CALL;                                                                  \
      }                                                                        \
      double took = (now() - start) / CALLS;                                   \
      least = took < least ? took : least;                                     \
    }                                                                          \
    printf("%s %.1f\n", NAME, least);                                          \
  }

int main(int argc, char **argv) {
  float in[4] = {0}, out[4];
  int flag;
  MPI_Request both[2];
  MPI_Comm self = MPI_COMM_SELF;
  MPI_Init(&argc, &argv);
  MEASURE("MPI_Barrier", MPI_Barrier(self))
  MEASURE("MPI_Allreduce", MPI_Allreduce(in, out, 4, MPI_FLOAT, MPI_SUM, self))
  MEASURE("MPI_Bcast", MPI_Bcast(in, 4, MPI_FLOAT, 0, self))
  MEASURE("MPI_Sendrecv",
          MPI_Sendrecv(in, 4, MPI_FLOAT, 0, 1, out, 4, MPI_FLOAT, 0, 1, self,
                       MPI_STATUS_IGNORE))
  MEASURE("MPI_Irecv+Isend+Waitall",
          MPI_Irecv(out, 4, MPI_FLOAT, 0, 1, self, &both[0]);
          MPI_Isend(in, 4, MPI_FLOAT, 0, 1, self, &both[1]);
          MPI_Waitall(2, both, MPI_STATUSES_IGNORE))
  both[0] = MPI_REQUEST_NULL;
  MEASURE("MPI_Test", MPI_Test(&both[0], &flag, MPI_STATUS_IGNORE))
  MPI_Finalize();
  return 0;
}
