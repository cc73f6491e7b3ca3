// An MPI program for the documents' commands.
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  float mine = 1, sum = 0;
  [[loopscope::train]] for (int step = 0; step < 20; ++step) {
    [[loopscope::phase("exchange")]] MPI_Allreduce(&mine, &sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return sum < 2;
}
