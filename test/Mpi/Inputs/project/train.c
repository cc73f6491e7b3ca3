#include <loopscope/annotate.h>
#include <mpi.h>

int exchange(int mine);

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 4; ++i)
    LOOPSCOPE_PHASE("exchange") {
      if (exchange(1) != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  MPI_Finalize();
  return 0;
}
