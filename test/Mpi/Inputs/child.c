/* Started by MPI_Comm_spawn: leaves its parent at once. */
#include <mpi.h>
#include <stddef.h>

int main(void) {
  MPI_Comm parent;
  MPI_Init(NULL, NULL);
  MPI_Comm_get_parent(&parent);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}
