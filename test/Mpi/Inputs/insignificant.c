/* Every argument that MPI ignores in a call, or on one side of it, is one that no function could use: an
 * invalid handle, a null or wild pointer, a wrong number. Prints "ok" if the data arrived. Needs 3 ranks or more. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls, wrong, me, ranks;
static void *wild = (void *)8; /* no memory there */
#define NO_TYPE MPI_DATATYPE_NULL
#define NO_COUNT 7 /* a negative one is seen to be wrong */

static float mine[64], all[4096];
static int counts[64], at[64];

static void fill(void) {
  for (int i = 0; i < 64; ++i)
    mine[i] = (float)(me + 1);
  for (int i = 0; i < 4096; ++i)
    all[i] = (float)(me + 1);
}

/* Whether each rank's four numbers lie in its place of ALL. */
static void gathered(void) {
  ++calls;
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < 4; ++i)
      wrong += all[4 * r + i] != (float)(r + 1);
}

static void done(int ok) {
  ++calls;
  wrong += !ok;
}

static void wait(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

/* With MPI_IN_PLACE, the arguments of the sent data. */
static void in_place(void) {
  MPI_Request q;
  fill();
  MPI_Allgather(MPI_IN_PLACE, NO_COUNT, NO_TYPE, all, 4, MPI_FLOAT, MPI_COMM_WORLD);
  gathered();
  fill();
  MPI_Iallgather(MPI_IN_PLACE, NO_COUNT, NO_TYPE, all, 4, MPI_FLOAT, MPI_COMM_WORLD, &q);
  wait(&q);
  gathered();
  fill();
  MPI_Allgatherv(MPI_IN_PLACE, NO_COUNT, NO_TYPE, all, counts, at, MPI_FLOAT, MPI_COMM_WORLD);
  gathered();
  fill();
  MPI_Iallgatherv(MPI_IN_PLACE, NO_COUNT, NO_TYPE, all, counts, at, MPI_FLOAT, MPI_COMM_WORLD, &q);
  wait(&q);
  gathered();
#if MPI_VERSION >= 4
  MPI_Count large[64];
  MPI_Aint places[64];
  for (int r = 0; r < ranks; ++r)
    large[r] = counts[r], places[r] = at[r];
  fill();
  MPI_Allgatherv_c(MPI_IN_PLACE, NO_COUNT, NO_TYPE, all, large, places, MPI_FLOAT, MPI_COMM_WORLD);
  gathered();
#endif
  fill();
  MPI_Alltoall(MPI_IN_PLACE, NO_COUNT, NO_TYPE, all, 4, MPI_FLOAT, MPI_COMM_WORLD);
  gathered();
  fill();
  MPI_Ialltoall(MPI_IN_PLACE, NO_COUNT, NO_TYPE, all, 4, MPI_FLOAT, MPI_COMM_WORLD, &q);
  wait(&q);
  gathered();
  fill();
  MPI_Alltoallv(MPI_IN_PLACE, wild, wild, NO_TYPE, all, counts, at, MPI_FLOAT, MPI_COMM_WORLD);
  gathered();
  fill();
  MPI_Ialltoallv(MPI_IN_PLACE, wild, wild, NO_TYPE, all, counts, at, MPI_FLOAT, MPI_COMM_WORLD, &q);
  wait(&q);
  gathered();
  int bytes[64];
  MPI_Datatype types[64];
  for (int r = 0; r < ranks; ++r)
    bytes[r] = (int)sizeof(float) * at[r], types[r] = MPI_FLOAT;
  fill();
  MPI_Alltoallw(MPI_IN_PLACE, wild, wild, wild, all, counts, bytes, types, MPI_COMM_WORLD);
  gathered();
  fill();
  MPI_Ialltoallw(MPI_IN_PLACE, wild, wild, wild, all, counts, bytes, types, MPI_COMM_WORLD, &q);
  wait(&q);
  gathered();
}

/* What only the root looks at, and what the root doesn't with MPI_IN_PLACE. */
static void roots(int root) {
  MPI_Request q;
  int is = me == root;
  for (int blocks = 0; blocks < 2; ++blocks) {
    void *to = is ? (void *)all : wild;
    int n = is ? 4 : NO_COUNT;
    MPI_Datatype type = is ? MPI_FLOAT : NO_TYPE;
    void *own = is ? MPI_IN_PLACE : (void *)mine;
    int of = is ? NO_COUNT : 4;
    MPI_Datatype kind = is ? NO_TYPE : MPI_FLOAT;
    int *list = is ? counts : wild, *places = is ? at : wild;
    fill();
    if (blocks) {
      MPI_Gather(mine, 4, MPI_FLOAT, to, n, type, root, MPI_COMM_WORLD);
    } else {
      MPI_Igather(mine, 4, MPI_FLOAT, to, n, type, root, MPI_COMM_WORLD, &q);
      wait(&q);
    }
    is ? gathered() : done(1);
    fill();
    if (blocks) {
      MPI_Gather(own, of, kind, to, n, type, root, MPI_COMM_WORLD);
    } else {
      MPI_Igather(own, of, kind, to, n, type, root, MPI_COMM_WORLD, &q);
      wait(&q);
    }
    is ? gathered() : done(1);
    fill();
    if (blocks) {
      MPI_Gatherv(own, of, kind, to, list, places, type, root, MPI_COMM_WORLD);
    } else {
      MPI_Igatherv(own, of, kind, to, list, places, type, root, MPI_COMM_WORLD, &q);
      wait(&q);
    }
    is ? gathered() : done(1);
    fill();
    if (blocks) {
      MPI_Scatter(to, n, type, mine, 4, MPI_FLOAT, root, MPI_COMM_WORLD);
    } else {
      MPI_Iscatter(to, n, type, mine, 4, MPI_FLOAT, root, MPI_COMM_WORLD, &q);
      wait(&q);
    }
    done(mine[3] == (float)(root + 1));
    fill();
    if (blocks) {
      MPI_Scatter(to, n, type, own, of, kind, root, MPI_COMM_WORLD);
    } else {
      MPI_Iscatter(to, n, type, own, of, kind, root, MPI_COMM_WORLD, &q);
      wait(&q);
    }
    done(is || mine[3] == (float)(root + 1));
    fill();
    if (blocks) {
      MPI_Scatterv(to, list, places, type, own, of, kind, root, MPI_COMM_WORLD);
    } else {
      MPI_Iscatterv(to, list, places, type, own, of, kind, root, MPI_COMM_WORLD, &q);
      wait(&q);
    }
    done(is || mine[3] == (float)(root + 1));
    fill();
    if (blocks) {
      MPI_Reduce(is ? MPI_IN_PLACE : (void *)mine, to, 4, MPI_FLOAT, MPI_SUM, root, MPI_COMM_WORLD);
    } else {
      MPI_Ireduce(is ? MPI_IN_PLACE : (void *)mine, to, 4, MPI_FLOAT, MPI_SUM, root, MPI_COMM_WORLD, &q);
      wait(&q);
    }
    done(!is || all[0] == (float)(ranks * (ranks + 1) / 2));
  }
}

/* Between rank 0 and the others: the root, the rank beside it, and the other group. */
static void between(void) {
  MPI_Comm group, both;
  MPI_Comm_split(MPI_COMM_WORLD, me == 0 || me == 1, me, &group);
  int inside = me == 0 || me == 1;
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, inside ? 2 : 0, 5, &both);
  int others = 0;
  MPI_Comm_remote_size(both, &others);
  int root = me == 0 ? MPI_ROOT : me == 1 ? MPI_PROC_NULL : 0;
  int sends = me == 0, takes = !inside;
  MPI_Request q;
  /* Here both libraries check type and count on all ranks. */
  fill();
  MPI_Bcast(inside && !sends ? wild : (void *)mine, 4, MPI_FLOAT, root, both);
  done(!takes || mine[0] == 1);
  fill();
  MPI_Ibcast(inside && !sends ? wild : (void *)mine, 4, MPI_FLOAT, root, both, &q);
  wait(&q);
  done(!takes || mine[0] == 1);
  fill();
  MPI_Reduce(takes ? (void *)mine : wild, sends ? (void *)all : wild, 4, MPI_FLOAT, MPI_SUM, root, both);
  done(!sends || all[0] >= 3);
  fill();
  MPI_Scatter(sends ? (void *)mine : wild, sends ? 4 : NO_COUNT, sends ? MPI_FLOAT : NO_TYPE, takes ? (void *)all : wild,
              takes ? 4 : NO_COUNT, takes ? MPI_FLOAT : NO_TYPE, root, both);
  done(!takes || all[0] == 1);
  fill();
  MPI_Gather(takes ? (void *)mine : wild, takes ? 4 : NO_COUNT, takes ? MPI_FLOAT : NO_TYPE, sends ? (void *)all : wild,
             sends ? 4 : NO_COUNT, sends ? MPI_FLOAT : NO_TYPE, root, both);
  done(!sends || all[0] == 3);
  fill();
  MPI_Gatherv(takes ? (void *)mine : wild, takes ? 4 : NO_COUNT, takes ? MPI_FLOAT : NO_TYPE, sends ? (void *)all : wild,
              sends ? counts : wild, sends ? at : wild, sends ? MPI_FLOAT : NO_TYPE, root, both);
  done(!sends || all[0] == 3);
  fill();
  MPI_Allgather(mine, 4, MPI_FLOAT, all, 4, MPI_FLOAT, both);
  done(all[0] == (inside ? 3 : 1));
  MPI_Barrier(both);
  done(others == (inside ? ranks - 2 : 2));
  MPI_Comm_free(&both);
  MPI_Comm_free(&group);
}

/* No peer, and nothing to send. */
static void nobody(void) {
  MPI_Status status;
  MPI_Request q[2];
  MPI_Send(wild, 4, MPI_FLOAT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
  MPI_Recv(wild, 4, MPI_FLOAT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  done(status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Recv(wild, 4, MPI_FLOAT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(wild, 4, MPI_FLOAT, MPI_PROC_NULL, 3, wild, 4, MPI_FLOAT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  done(status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Isend(wild, 4, MPI_FLOAT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &q[0]);
  MPI_Irecv(wild, 4, MPI_FLOAT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &q[1]);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  done(q[0] == MPI_REQUEST_NULL && q[1] == MPI_REQUEST_NULL);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE); /* no requests */
  MPI_Waitall(0, wild, wild);
  int which, flag;
  MPI_Waitany(0, wild, &which, MPI_STATUS_IGNORE);
  done(which == MPI_UNDEFINED);
  MPI_Testall(0, wild, &flag, wild);
  done(flag);
  fill();
  MPI_Allreduce(wild, wild, 0, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(wild, 0, MPI_FLOAT, 0, MPI_COMM_WORLD);
  done(1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  for (int i = 0; i < ranks; ++i)
    counts[i] = 4, at[i] = 4 * i;
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  in_place();
  roots(0);
  roots(ranks - 1);
  between();
  nobody();
  printf(wrong ? "%d calls, %d wrong\n" : "ok\n", calls, wrong);
  MPI_Finalize();
  return wrong != 0;
}
