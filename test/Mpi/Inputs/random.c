/* Makes random MPI calls, the same on all ranks: collectives with roots, in-place buffers and
 * derived types, messages with all kinds of waits and tests, on the world and on communicators that
 * come and go; finally with two threads at once.
 *
 *   random SEED CALLS
 */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMS = 5, ROOM = 64, MESSAGES = 6 };

typedef struct {
  unsigned state;
  MPI_Comm comms[COMMS];
  int data[3][ROOM * 16];
} Random;

static unsigned draw(Random *r, unsigned below) {
  r->state = r->state * 1664525u + 1013904223u;
  return (r->state >> 8) % below;
}

static void collective(Random *r, MPI_Comm comm) {
  int n, count = (int)draw(r, ROOM), in_place = draw(r, 2) == 0;
  int *a = r->data[0], *b = r->data[1];
  MPI_Comm_size(comm, &n);
  int root = (int)draw(r, 1000) % n;
  switch (draw(r, 13)) {
  case 0:
    MPI_Barrier(comm);
    break;
  case 1:
    MPI_Allreduce(in_place ? MPI_IN_PLACE : a, b, count, MPI_INT, MPI_MAX, comm);
    break;
  case 2:
    MPI_Allgather(in_place ? MPI_IN_PLACE : a, count, MPI_INT, b, count, MPI_INT, comm);
    break;
  case 3:
    MPI_Alltoall(a, count, MPI_INT, b, count, MPI_INT, comm);
    break;
  case 4:
    MPI_Reduce_scatter_block(a, b, count, MPI_INT, MPI_SUM, comm);
    break;
  case 5:
    MPI_Bcast(a, count, MPI_INT, root, comm);
    break;
  case 6:
    MPI_Reduce(a, b, count, MPI_INT, MPI_SUM, root, comm);
    break;
  case 7:
    MPI_Gather(a, count, MPI_INT, b, count, MPI_INT, root, comm);
    break;
  case 8:
    MPI_Scatter(a, count, MPI_INT, b, count, MPI_INT, root, comm);
    break;
  case 9:
    MPI_Scan(a, b, count, MPI_INT, MPI_SUM, comm);
    break;
  case 10:
    MPI_Exscan(a, b, count, MPI_INT, MPI_SUM, comm);
    break;
  default: {
    MPI_Request both[2];
    MPI_Iallreduce(a, b, count, MPI_INT, MPI_SUM, comm, &both[0]);
    MPI_Ibarrier(comm, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  }
}

/* Waits for all of COUNT requests. */
static void finish(Random *r, int count, MPI_Request *of) {
  MPI_Status statuses[2 * MESSAGES];
  int ignore = draw(r, 2) == 0, which[2 * MESSAGES], done = 0, some, flag;
  MPI_Status *all = ignore ? MPI_STATUSES_IGNORE : statuses;
  MPI_Status *one = ignore ? MPI_STATUS_IGNORE : statuses;
  switch (draw(r, 8)) {
  case 0:
    for (int i = 0; i < count; ++i)
      MPI_Wait(&of[i], one);
    break;
  case 1:
    for (; done < count; ++done)
      MPI_Waitany(count, of, which, one);
    break;
  case 2:
    while (done < count) {
      MPI_Waitsome(count, of, &some, which, all);
      done += some;
    }
    break;
  case 3:
    for (int i = 0; i < count; ++i)
      for (flag = 0; !flag;)
        MPI_Test(&of[i], &flag, one);
    break;
  case 4:
    for (flag = 0; !flag;)
      MPI_Testall(count, of, &flag, all);
    break;
  case 5:
    while (done < count) {
      MPI_Testany(count, of, which, &flag, one);
      done += flag;
    }
    break;
  case 6:
    while (done < count) {
      MPI_Testsome(count, of, &some, which, all);
      done += some;
    }
    break;
  default:
    MPI_Waitall(count, of, all);
  }
}

/* Each rank sends to the rank SHIFT places further. */
static void messages(Random *r, MPI_Comm comm) {
  int rank, n, shift, count = (int)draw(r, ROOM), how = (int)draw(r, 4);
  int many = 1 + (int)draw(r, MESSAGES), any = draw(r, 3) == 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  shift = (int)draw(r, 1000) % n;
  int to = (rank + shift) % n, from = (rank + n - shift) % n;
  MPI_Datatype type = MPI_INT;
  if (draw(r, 2)) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
  }
  if (how == 0) {
    MPI_Status status;
    MPI_Sendrecv(r->data[0], count, type, to, 7, r->data[1], ROOM, type,
                 any ? MPI_ANY_SOURCE : from, 7, comm,
                 draw(r, 2) ? MPI_STATUS_IGNORE : &status);
  } else if (how == 1) {
    MPI_Request request;
    MPI_Isend(r->data[0], count, type, to, 8, comm, &request);
    MPI_Recv(r->data[1], ROOM, type, any ? MPI_ANY_SOURCE : from, 8, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Request all[2 * MESSAGES];
    for (int i = 0; i < many; ++i) {
      MPI_Irecv(r->data[1] + i * 2 * ROOM, ROOM, type, any ? MPI_ANY_SOURCE : from, 9, comm,
                &all[2 * i]);
      (how == 2 ? MPI_Isend : MPI_Issend)(r->data[0], count, type, to, 9, comm, &all[2 * i + 1]);
    }
    finish(r, 2 * many, all);
  }
  if (type != MPI_INT)
    MPI_Type_free(&type);
  if (any)
    MPI_Barrier(comm); /* messages don't mix with those of the next round */
}

static void change(Random *r, int rank) {
  MPI_Comm *at = &r->comms[1 + draw(r, COMMS - 1)];
  MPI_Comm from = r->comms[draw(r, 2) * draw(r, COMMS)];
  int parts = 1 + (int)draw(r, 3), dup = draw(r, 2) == 0;
  if (*at != MPI_COMM_NULL) {
    MPI_Comm_free(at);
    return;
  }
  if (from == MPI_COMM_NULL)
    return;
  if (dup)
    MPI_Comm_dup(from, at);
  else
    MPI_Comm_split(from, rank % parts, -rank, at);
}

static void run(Random *r, int calls, int rank, int may_change) {
  for (int i = 0; i < calls; ++i) {
    MPI_Comm comm = r->comms[draw(r, COMMS)];
    unsigned what = draw(r, 8), seed = r->state;
    if (comm == MPI_COMM_NULL)
      comm = r->comms[0];
    if (what == 0 && may_change)
      change(r, rank);
    else if (what < 5)
      collective(r, comm);
    else
      messages(r, comm);
    r->state = seed; /* however many random numbers this rank used */
  }
}

static void *thread(void *of) {
  __LOOPSCOPE_SPAN(2, PHASE, "thread", 2, "thread");
  run(of, 40, 0, 0);
  return 0;
}

int main(int argc, char **argv) {
  int level, rank;
  static Random r[3];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) {
    r[i].state = (unsigned)atoi(argv[1]) * 3 + (unsigned)i;
    for (int c = 0; c < COMMS; ++c)
      r[i].comms[c] = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &r[i].comms[0]);
  }
  {
    __LOOPSCOPE_SPAN(1, PHASE, "main", 1, "main");
    run(&r[0], atoi(argv[2]), rank, 1);
  }
  if (level == MPI_THREAD_MULTIPLE) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
      pthread_create(&threads[i], 0, thread, &r[i + 1]);
    for (int i = 0; i < 2; ++i)
      pthread_join(threads[i], 0);
  }
  MPI_Finalize();
  return 0;
}
