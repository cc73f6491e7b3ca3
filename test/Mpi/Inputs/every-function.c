/* Calls each recorded MPI function that the library has, and checks the results; for three ranks.
 *
 *   every-function FILE CHILD
 *
 * FILE: where to put a file of MPI's. CHILD: a program to start with MPI_Comm_spawn (child.c). */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define CHECK(CONDITION)                                                                                               \
  if (!(CONDITION)) {                                                                                                  \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);                                                    \
    MPI_Abort(MPI_COMM_WORLD, 1);                                                                                      \
  }
#define FINE(CALL) CHECK((CALL) == MPI_SUCCESS)
enum { MOST = 8 };

#define CALL(NAME) MPI_##NAME
#define PART(NAME) NAME##_of_int
#define COUNT int
#define PLACE int
#include "every-counted.h"
#if MPI_VERSION >= 4
#define CALL(NAME) MPI_##NAME##_c
#define PART(NAME) NAME##_of_count
#define COUNT MPI_Count
#define PLACE MPI_Aint
#include "every-counted.h"
#endif

static int rank, size, to, from;

/* Waits and tests of each kind. */
static void requests(void) {
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request q[2], persistent[2];
  MPI_Status status, both[2];
  MPI_Message matched;
  int in = -1, flag = 0, which[2], done = 0;
#define BEGIN                                                                                                          \
  MPI_Irecv(&in, 1, MPI_INT, from, 4, comm, &q[0]);                                                                    \
  MPI_Isend(&rank, 1, MPI_INT, to, 4, comm, &q[1]);
#define ENDED                                                                                                          \
  CHECK(in == from);                                                                                                   \
  in = -1;
  BEGIN MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  ENDED BEGIN;
  for (int i = 0; i < 2; ++i)
    MPI_Waitany(2, q, which, &status);
  ENDED BEGIN;
  for (int ended = 0; ended < 2; ended += done)
    MPI_Waitsome(2, q, &done, which, both);
  ENDED BEGIN;
  for (flag = 0; !flag;)
    MPI_Test(&q[0], &flag, &status);
  MPI_Wait(&q[1], MPI_STATUS_IGNORE);
  ENDED BEGIN;
  for (flag = 0; !flag;)
    MPI_Testall(2, q, &flag, MPI_STATUSES_IGNORE);
  ENDED BEGIN;
  for (int ended = 0; ended < 2; ended += flag)
    MPI_Testany(2, q, which, &flag, &status);
  ENDED BEGIN;
  for (int ended = 0; ended < 2; ended += done)
    MPI_Testsome(2, q, &done, which, both);
  ENDED BEGIN;
  for (flag = 0; !flag;)
    MPI_Request_get_status(q[0], &flag, &status);
  MPI_Waitall(2, q, both);
  ENDED;
  MPI_Isend(&rank, 1, MPI_INT, to, 4, comm, &q[0]);
  MPI_Probe(from, 4, comm, &status);
  for (flag = 0; !flag;)
    MPI_Iprobe(from, 4, comm, &flag, MPI_STATUS_IGNORE);
  for (flag = 0; !flag;)
    MPI_Improbe(from, 4, comm, &flag, &matched, &status);
  MPI_Mrecv(&in, 1, MPI_INT, &matched, &status);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  ENDED;
  MPI_Irecv(&in, 1, MPI_INT, from, 5, comm, &q[0]);
  MPI_Cancel(&q[0]);
  MPI_Wait(&q[0], &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag);
  MPI_Recv_init(&in, 1, MPI_INT, from, 6, comm, &persistent[0]);
  MPI_Send_init(&rank, 1, MPI_INT, to, 6, comm, &persistent[1]);
  for (int i = 0; i < 2; ++i) {
    if (i == 0)
      MPI_Startall(2, persistent);
    for (int k = 0; i && k < 2; ++k)
      MPI_Start(&persistent[k]);
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
    ENDED;
  }
  for (int i = 0; i < 2; ++i)
    MPI_Request_free(&persistent[i]);
  MPI_Ibarrier(comm, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
#undef BEGIN
#undef ENDED
}

/* MPI_COMM_WORLD on a ring, and its ranks in the opposite order. */
static void communicators(MPI_Comm *ring, MPI_Comm *backwards) {
  int around = 1, keep = 1, one = 1, next = to, before = from;
  MPI_Comm made[12];
  int n = 0;
  MPI_Request q;
  MPI_Group group;
  MPI_Comm_dup(MPI_COMM_WORLD, &made[n++]);
  MPI_Comm_idup(made[0], &made[n++], &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Comm_dup_with_info(made[1], MPI_INFO_NULL, &made[n++]);
#if MPI_VERSION >= 4
  MPI_Comm_idup_with_info(made[1], MPI_INFO_NULL, &made[n++], &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
#endif
  MPI_Comm_group(made[0], &group);
  MPI_Comm_create(made[0], group, &made[n++]);
  MPI_Comm_create_group(made[0], group, 8, &made[n++]);
  MPI_Group_free(&group);
  int *index = calloc((size_t)size, sizeof(int));
  MPI_Graph_create(made[0], size, index, index, 0, &made[n++]);
  free(index);
  MPI_Dist_graph_create(made[0], 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made[n++]);
  MPI_Dist_graph_create_adjacent(made[0], 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &made[n++]);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, ring);
  MPI_Cart_sub(*ring, &keep, &made[n++]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, backwards);
  for (int i = 0; i < n; ++i)
    MPI_Barrier(made[i]);
  MPI_Comm_disconnect(&made[0]);
  for (int i = 1; i < n; ++i)
    MPI_Comm_free(&made[i]);
}

/* Rank 0 on one side, the others on the other. */
static void two_sides(void) {
  MPI_Comm side, between, whole;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 9, &between);
  MPI_Intercomm_merge(between, rank > 0, &whole);
  MPI_Barrier(whole);
  MPI_Comm_free(&whole);
  MPI_Comm_free(&between);
  MPI_Comm_free(&side);
}

/* Functions that connect processes. Some libraries lack what these need, and return an error: such a call is a call,
 * too. */
static void tell(const char *name, int result, MPI_Comm *other) {
  if (result == MPI_SUCCESS)
    MPI_Comm_disconnect(other);
  else
    fprintf(stderr, "rank %d: MPI_%s failed\n", rank, name);
}

static void joined(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof(at);
  int end = socket(AF_INET, SOCK_STREAM, 0), mine = end;
  MPI_Comm other;
  if (rank == 0) {
    CHECK(bind(end, (struct sockaddr *)&at, length) == 0 && listen(end, 1) == 0);
    CHECK(getsockname(end, (struct sockaddr *)&at, &length) == 0);
    MPI_Send(&at, sizeof(at), MPI_BYTE, 1, 13, MPI_COMM_WORLD);
    CHECK((mine = accept(end, NULL, NULL)) >= 0);
  } else {
    MPI_Recv(&at, sizeof(at), MPI_BYTE, 0, 13, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(connect(end, (struct sockaddr *)&at, length) == 0);
  }
  tell("Comm_join", MPI_Comm_join(mine, &other), &other);
}

static void connected(void) {
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm other;
  if (rank == 1) {
    int has = MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS;
    if (!has)
      strcpy(port, "none");
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 10, MPI_COMM_WORLD);
    tell("Comm_accept", MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other), &other);
    if (has)
      MPI_Close_port(port);
  } else {
    MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    tell("Comm_connect", MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other), &other);
  }
}

static void spawned(char *child) {
  int codes[2], numbers[2] = {1, 1};
  char *programs[2] = {child, child};
  MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm other;
  int result = MPI_Comm_spawn(child, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, codes);
  tell("Comm_spawn", result, &other);
  result = MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, numbers, infos, 0, MPI_COMM_WORLD, &other, codes);
  tell("Comm_spawn_multiple", result, &other);
}

static void processes(char *child) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (rank < 2) {
    joined();
    connected();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  spawned(child);
}

/* The window's functions that have no counts. */
static void posted(void) {
  static int memory = -1;
  int flag = 0, next = to, last = from;
  MPI_Win window;
  MPI_Group all, origin, target;
  MPI_Win_create(&memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &next, &target);
  MPI_Group_incl(all, 1, &last, &origin);
  for (int i = 0; i < 2; ++i) {
    MPI_Win_post(origin, 0, window);
    MPI_Win_start(target, 0, window);
    MPI_Put(&rank, 1, MPI_INT, to, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    if (i == 0)
      MPI_Win_wait(window);
    for (flag = i == 0; !flag;)
      MPI_Win_test(window, &flag);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&target);
  MPI_Group_free(&origin);
  MPI_Win_free(&window);
  CHECK(memory == from);
}

static void locked(void) {
  int memory[2] = {0}, one = 1, zero = 0, before = -1;
  MPI_Aint at, there;
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, memory, sizeof(memory));
  MPI_Get_address(memory, &at);
  MPI_Sendrecv(&at, 1, MPI_AINT, from, 11, &there, 1, MPI_AINT, to, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  MPI_Fetch_and_op(&one, &before, MPI_INT, to, there, MPI_SUM, window);
  MPI_Win_flush_local(to, window);
  MPI_Win_flush_local_all(window);
  MPI_Win_flush(to, window);
  CHECK(before == 0);
  MPI_Compare_and_swap(&zero, &one, &before, MPI_INT, to, there, window);
  MPI_Win_flush_all(window);
  CHECK(before == 1);
  MPI_Win_sync(window);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(memory[0] == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, window);
  MPI_Put(&one, 1, MPI_INT, to, there, 1, MPI_INT, window);
  MPI_Win_unlock(to, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_detach(window, memory);
  MPI_Win_free(&window);
}

/* What came with MPI 4. */
#if MPI_VERSION >= 4
static void since_4(void) {
  int in[6], out[6], flag, list[] = {2, 4};
  MPI_Request q[2];
  for (int i = 0; i < 6; ++i)
    out[i] = 10 * rank + i;
  MPI_Precv_init(in, 6, 1, MPI_INT, from, 12, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
  MPI_Psend_init(out, 6, 1, MPI_INT, to, 12, MPI_COMM_WORLD, MPI_INFO_NULL, &q[1]);
  MPI_Startall(2, q);
  MPI_Pready(0, q[1]);
  MPI_Pready_list(2, list, q[1]);
  MPI_Pready(1, q[1]);
  MPI_Pready(3, q[1]);
  MPI_Pready_range(5, 5, q[1]);
  for (flag = 0; !flag;)
    MPI_Parrived(q[0], 5, &flag);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  CHECK(in[5] == 10 * from + 5);
  for (int i = 0; i < 2; ++i)
    MPI_Request_free(&q[i]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
  MPI_Start(&q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Request_free(&q[0]);
  MPI_Session session;
  MPI_Group all, first, others;
  MPI_Comm made, between;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
  MPI_Barrier(made);
  int zero = 0;
  MPI_Group_incl(all, 1, &zero, &first);
  MPI_Group_excl(all, 1, &zero, &others);
  MPI_Intercomm_create_from_groups(rank ? others : first, 0, rank ? first : others, 0, "two", MPI_INFO_NULL,
                                   MPI_ERRORS_ARE_FATAL, &between);
  MPI_Comm_free(&between);
  MPI_Group_free(&first);
  MPI_Group_free(&others);
  MPI_Group_free(&all);
  MPI_Comm_free(&made);
  MPI_Session_finalize(&session);
}
#endif

int main(int argc, char **argv) {
  const char *number = getenv("OMPI_COMM_WORLD_RANK");
  if (number == NULL)
    number = getenv("PMI_RANK");
  int level;
  /* Both ways to begin. */
  if (number != NULL && atoi(number) == 0)
    MPI_Init(&argc, &argv);
  else
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(argc == 3 && size >= 3 && size <= MOST);
  to = (rank + 1) % size;
  from = (rank + size - 1) % size;
  {
    __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
    MPI_Comm ring, backwards;
    communicators(&ring, &backwards);
    MPI_Barrier(MPI_COMM_WORLD);
    requests();
    posted();
    every_of_int(MPI_COMM_WORLD, backwards, ring, argv[1]);
#if MPI_VERSION >= 4
    every_of_count(MPI_COMM_WORLD, backwards, ring, argv[1]);
    since_4();
#endif
    locked();
    two_sides();
    processes(argv[2]);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&backwards);
  }
  MPI_Finalize();
  return 0;
}
