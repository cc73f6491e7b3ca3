/* Communicators that are made by MPI_Comm_idup and MPI_Comm_create_group, and end by MPI_Comm_disconnect, after which
 * their handles come again. Needs 4 ranks. */
#include <loopscope/hooks.h>
#include <mpi.h>

static int me;
static float x = 1, y, z;

static void sum(int times, MPI_Comm over) {
  for (int i = 0; i < times; ++i)
    MPI_Allreduce(&x, &y, 1, MPI_FLOAT, MPI_SUM, over);
}

/* Two of the same ranks, which ranks use first in a different order: 20 calls on A, 40 on B. */
static void duplicates(void) {
  MPI_Comm a, b;
  MPI_Request q[2];
  MPI_Comm_idup(MPI_COMM_WORLD, &a, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Comm_idup(MPI_COMM_WORLD, &b, &q[1]);
  MPI_Wait(&q[1], MPI_STATUS_IGNORE);
  if (me % 2) {
    MPI_Iallreduce(&x, &y, 1, MPI_FLOAT, MPI_SUM, a, &q[0]);
    MPI_Iallreduce(&x, &z, 1, MPI_FLOAT, MPI_SUM, b, &q[1]);
  } else {
    MPI_Iallreduce(&x, &z, 1, MPI_FLOAT, MPI_SUM, b, &q[1]);
    MPI_Iallreduce(&x, &y, 1, MPI_FLOAT, MPI_SUM, a, &q[0]);
  }
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  sum(20, a);
  sum(40, b);
  MPI_Comm_disconnect(&a);
  MPI_Comm_disconnect(&b);
}

/* TIMES calls of the ranks A and B, on a communicator of their own. */
static void pair(int a, int b, int times) {
  MPI_Group all, two;
  MPI_Comm c;
  int both[] = {a, b};
  if (me != a && me != b)
    return;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, both, &two);
  MPI_Comm_create_group(MPI_COMM_WORLD, two, 7, &c);
  sum(times, c);
  MPI_Comm_disconnect(&c);
  MPI_Group_free(&two);
  MPI_Group_free(&all);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  duplicates();
  pair(0, 1, 7);
  pair(2, 3, 8);
  pair(0, 3, 5);
  MPI_Finalize();
}
