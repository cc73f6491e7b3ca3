/* Calls each recorded MPI function several times, with derived types, in-place buffers,
 * communicators that are duplicated, split and freed, requests, and threads. Checks the results.
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

/* The nonblocking variants with counts, each separately. */
static void nonblocking(MPI_Comm comm, int r, int n) {
  int *all = calloc((size_t)n, sizeof(int)), *counts = calloc((size_t)n, sizeof(int));
  int *places = calloc((size_t)n, sizeof(int)), *other = calloc((size_t)n, sizeof(int));
  MPI_Datatype *types = calloc((size_t)n, sizeof(MPI_Datatype));
  int *steps = calloc((size_t)n, sizeof(int)), sum = 0;
  MPI_Request q[1];
  for (int i = 0; i < n; ++i) {
    counts[i] = 1;
    places[i] = i;
    types[i] = MPI_INT;
    steps[i] = i * (int)sizeof(int);
  }
  MPI_Iallgatherv(&r, 1, MPI_INT, all, counts, places, MPI_INT, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  CHECK(all[n - 1] == n - 1);
  MPI_Ialltoallv(all, counts, places, MPI_INT, other, counts, places, MPI_INT, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  CHECK(other[0] == r);
  MPI_Ialltoallw(all, counts, steps, types, other, counts, steps, types, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Igather(&r, 1, MPI_INT, other, 1, MPI_INT, 0, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Igatherv(&r, 1, MPI_INT, other, counts, places, MPI_INT, n - 1, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  CHECK(r != n - 1 || other[n - 1] == n - 1);
  MPI_Iscatter(all, 1, MPI_INT, &sum, 1, MPI_INT, 0, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  CHECK(sum == r);
  MPI_Iscatterv(all, counts, places, MPI_INT, &sum, 1, MPI_INT, n - 1, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Ireduce_scatter(all, &sum, counts, MPI_INT, MPI_SUM, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  CHECK(sum == r * n);
  MPI_Ireduce_scatter_block(all, &sum, 1, MPI_INT, MPI_SUM, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Iscan(&r, &sum, 1, MPI_INT, MPI_SUM, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  CHECK(sum == r * (r + 1) / 2);
  MPI_Iexscan(&r, &sum, 1, MPI_INT, MPI_SUM, comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  free(all);
  free(counts);
  free(places);
  free(other);
  free(types);
  free(steps);
}

/* Neighbours on a ring, and messages that are matched before they are received. */
static void ring(MPI_Comm parent) {
  int periodic = 1, n, r, all[2], both[2] = {1, 1}, places[2] = {0, 1}, from, to;
  int keep = 1, counts[1] = {1};
  MPI_Aint bytes[2] = {0, sizeof(int)};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Comm cart, sub, copy, graph, adjacent, old;
  MPI_Comm_size(parent, &n);
  MPI_Comm_rank(parent, &r);
  MPI_Cart_create(parent, 1, &n, &periodic, 0, &cart);
  MPI_Cart_shift(cart, 0, 1, &from, &to);
  MPI_Neighbor_allgather(&r, 1, MPI_INT, all, 1, MPI_INT, cart);
  CHECK(all[0] == from && all[1] == to);
  MPI_Neighbor_allgatherv(&r, 1, MPI_INT, all, both, places, MPI_INT, cart);
  int out[2] = {r, r};
  MPI_Neighbor_alltoall(out, 1, MPI_INT, all, 1, MPI_INT, cart);
  MPI_Neighbor_alltoallv(out, both, places, MPI_INT, all, both, places, MPI_INT, cart);
  MPI_Neighbor_alltoallw(out, both, bytes, types, all, both, bytes, types, cart);
  CHECK(all[0] == from && all[1] == to);
  MPI_Cart_sub(cart, &keep, &sub);
  MPI_Comm_dup_with_info(sub, MPI_INFO_NULL, &copy);
  MPI_Barrier(copy);
  MPI_Dist_graph_create(copy, 1, &r, counts, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_create_adjacent(copy, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &adjacent);
  int *index = calloc((size_t)n, sizeof(int));
  MPI_Graph_create(copy, n, index, index, 0, &old);
  free(index);
  MPI_Barrier(adjacent);
  MPI_Message message;
  MPI_Status status;
  MPI_Request request;
  for (int i = 0; i < 2; ++i) {
    MPI_Isend(&r, 1, MPI_INT, to, 7, cart, &request);
    MPI_Mprobe(from, 7, cart, &message, &status);
    int in = -1;
    if (i == 0) {
      MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    } else {
      MPI_Request matched;
      MPI_Imrecv(&in, 1, MPI_INT, &message, &matched);
      MPI_Wait(&matched, &status);
    }
    CHECK(in == from);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm *made[] = {&old, &adjacent, &graph, &copy, &sub, &cart};
  for (int i = 0; i < 6; ++i)
    MPI_Comm_free(made[i]);
}

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
  nonblocking(comm, r, n);
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
    ring(MPI_COMM_WORLD);
  }
  /* Errors are returned as without us. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Send(&rank, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return rank == size - 1 ? 3 : 0;
}
