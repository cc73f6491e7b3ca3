/* Rank 0 comes late, the others ask for it in a loop: polls FUNCTION WORK, with WORK turns of an own loop between two
 * questions. Prints how long each rank worked between them, in seconds. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile double sink;
static int work;
static double worked;

static void between(void) {
  if (work == 0)
    return;
  double start = MPI_Wtime(), x = 1;
  for (int i = 0; i < work; ++i)
    x = x * 1.0000001 + 1e-9;
  sink = x;
  worked += MPI_Wtime() - start;
}

static void await(const char *how) {
  __LOOPSCOPE_SPAN(3, PHASE, "await", 3, "main");
  int value, there = 0, index;
  MPI_Request request;
  MPI_Message message;
  if (!strcmp(how, "Iprobe"))
    while (MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), !there)
      between();
  if (!strcmp(how, "Improbe")) {
    while (MPI_Improbe(0, 0, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE), !there)
      between();
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  if (!strcmp(how, "Test"))
    while (MPI_Test(&request, &there, MPI_STATUS_IGNORE), !there)
      between();
  else if (!strcmp(how, "Testall"))
    while (MPI_Testall(1, &request, &there, MPI_STATUSES_IGNORE), !there)
      between();
  else if (!strcmp(how, "Testany"))
    while (MPI_Testany(1, &request, &index, &there, MPI_STATUS_IGNORE), !there)
      between();
  else if (!strcmp(how, "Request_get_status"))
    while (MPI_Request_get_status(request, &there, MPI_STATUS_IGNORE), !there)
      between();
  if (request != MPI_REQUEST_NULL)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int me;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  work = atoi(argv[2]);
  {
    __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
    for (int i = 0; i < 20; ++i) {
      __LOOPSCOPE_STEP(2, 1);
      if (me != 0) {
        MPI_Send(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        await(argv[1]);
        continue;
      }
      int other;
      MPI_Recv(&other, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      usleep(1000);
      MPI_Send(&me, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
  }
  printf("%d %f\n", me, worked);
  MPI_Finalize();
  return argc != 3;
}
