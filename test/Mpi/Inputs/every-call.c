/* Calls common MPI functions several times, with derived types, in-place buffers, requests, and communicators that
 * are duplicated, split and freed. Checks the results. Every function is called by every-function.c.
 */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(CONDITION)                                                       \
  if (!(CONDITION)) {                                                          \
    fprintf(stderr, "line %d: %s\n", __LINE__, #CONDITION);                    \
    MPI_Abort(MPI_COMM_WORLD, 1);                                              \
  }

static int rank, size;

static void collectives(MPI_Comm comm, int steps) {
  int r, n;
  MPI_Comm_rank(comm, &r);
  MPI_Comm_size(comm, &n);
  int *many = calloc((size_t)n * 4, sizeof(int));
  int *more = calloc((size_t)n * 4, sizeof(int));
  for (int i = 0; i < steps; ++i) {
    int one = r + 1, sum = 0;
    MPI_Barrier(comm);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == n * (n + 1) / 2);
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_MAX, comm);
    CHECK(one == n);
    MPI_Allgather(&r, 1, MPI_INT, many, 1, MPI_INT, comm);
    CHECK(many[n - 1] == n - 1);
    many[r] = 7 + r;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, 1, MPI_INT, comm);
    CHECK(many[0] == 7 && many[n - 1] == 6 + n);
    MPI_Alltoall(many, 1, MPI_INT, more, 1, MPI_INT, comm);
    CHECK(more[0] == 7 + r);
    MPI_Reduce_scatter_block(many, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(many, 2, MPI_DOUBLE, 0, comm);
    MPI_Reduce(&r, &sum, 1, MPI_INT, MPI_SUM, n - 1, comm);
    CHECK(r != n - 1 || sum == n * (n - 1) / 2);
    MPI_Gather(&r, 1, MPI_INT, more, 1, MPI_INT, 0, comm);
    MPI_Scatter(more, 1, MPI_INT, &sum, 1, MPI_INT, 0, comm);
    CHECK(sum == r);
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Request waits[2];
    MPI_Iallreduce(&r, &sum, 1, MPI_INT, MPI_SUM, comm, &waits[0]);
    MPI_Ibarrier(comm, &waits[1]);
    MPI_Waitall(2, waits, MPI_STATUSES_IGNORE);
    CHECK(sum == n * (n - 1) / 2);
  }
  free(many);
  free(more);
}

static void messages(void) {
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  long out[8] = {rank}, in[8] = {0};
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  MPI_Status status;
  int count;
  MPI_Request request, both[2];
  MPI_Sendrecv(out, 2, pair, to, 1, in, 4, pair, from, 1, MPI_COMM_WORLD,
               &status);
  MPI_Get_count(&status, pair, &count);
  CHECK(count == 2 && in[0] == from);
  if (rank % 2 == 0)
    MPI_Send(out, 3, MPI_LONG, to, 2, MPI_COMM_WORLD);
  /* More room than the message needs. */
  if (from % 2 == 0) {
    MPI_Recv(in, 8, MPI_LONG, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[0] == from);
  }
  MPI_Irecv(in, 8, MPI_LONG, from, 3, MPI_COMM_WORLD, &request);
  MPI_Isend(out, 4, MPI_LONG, to, 3, MPI_COMM_WORLD, &both[0]);
  MPI_Wait(&request, &status);
  MPI_Wait(&both[0], MPI_STATUS_IGNORE);
  CHECK(status.MPI_SOURCE == from && in[0] == from);
  MPI_Irecv(in, 8, MPI_LONG, from, 4, MPI_COMM_WORLD, &both[0]);
  MPI_Issend(out, 1, MPI_LONG, to, 4, MPI_COMM_WORLD, &both[1]);
  int which, done = 0;
  while (done < 2) {
    MPI_Waitany(2, both, &which, &status);
    ++done;
  }
  CHECK(which == 0 || which == 1);
  MPI_Type_free(&pair);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm copy, half, none, again;
  {
    __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
    collectives(MPI_COMM_WORLD, 3);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    collectives(copy, 2);
    MPI_Comm_split(copy, rank % 2, -rank, &half);
    collectives(half, 1);
    MPI_Comm_split(copy, rank == 0 ? MPI_UNDEFINED : 0, 0, &none);
    CHECK((none == MPI_COMM_NULL) == (rank == 0));
    MPI_Comm_free(&half);
    MPI_Comm_dup(copy, &again);
    collectives(again, 1);
    MPI_Comm_free(&again);
    if (rank != 0)
      MPI_Comm_free(&none);
  }
  {
    __LOOPSCOPE_SPAN(2, PHASE, "messages", 2, "main");
    messages();
  }
  /* Errors are returned as without us. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Send(&rank, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return rank == size - 1 ? 3 : 0;
}
