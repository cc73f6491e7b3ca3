/* An error handler that leaves a call of MPI by a longjmp, ten times. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static void leave(MPI_Comm *on, int *code, ...) { longjmp(back, 1); }

int main(int argc, char **argv) {
  MPI_Errhandler handler;
  volatile int left = 0;
  int number = 0;
  MPI_Init(&argc, &argv);
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  MPI_Comm_create_errhandler(leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (int i = 0; i < 10; ++i) {
    if (setjmp(back) == 0)
      MPI_Send(&number, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    else
      ++left;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  printf("left %d\n", left);
  MPI_Finalize();
  return 0;
}
