/* Calls each recorded MPI function that has counts, and checks what arrived. Included once with counts of int and
 * once with MPI_Count: CALL(NAME) is the function, PART(NAME) a name of this file's, COUNT and PLACE are the types of
 * counts and displacements. */

/* For three or more ranks. */
typedef struct {
  MPI_Comm comm;
  int n, r, from, to; /* neighbours on a ring */
} PART(Ranks);

static PART(Ranks) PART(ranks_of)(MPI_Comm comm) {
  PART(Ranks) all = {.comm = comm};
  MPI_Comm_size(comm, &all.n);
  MPI_Comm_rank(comm, &all.r);
  all.from = (all.r + all.n - 1) % all.n;
  all.to = (all.r + 1) % all.n;
  return all;
}

/* A collective: blocking, nonblocking, and persistent where MPI has it. */
#if MPI_VERSION >= 4
#define PERSISTENT(OK, NAME, ...)                                                                                      \
  {                                                                                                                    \
    RESET;                                                                                                             \
    CALL(NAME##_init)(__VA_ARGS__, MPI_INFO_NULL, &q);                                                                 \
    MPI_Start(&q);                                                                                                     \
    MPI_Wait(&q, MPI_STATUS_IGNORE);                                                                                   \
    CHECK(OK);                                                                                                         \
    MPI_Request_free(&q);                                                                                              \
  }
#else
#define PERSISTENT(OK, NAME, ...)
#endif
#define RESET memset(out, -1, sizeof(out)), value = r + 5
#define EACH(OK, NAME, I_NAME, ...)                                                                                    \
  {                                                                                                                    \
    MPI_Request q;                                                                                                     \
    RESET;                                                                                                             \
    CALL(NAME)(__VA_ARGS__);                                                                                           \
    CHECK(OK);                                                                                                         \
    RESET;                                                                                                             \
    CALL(I_NAME)(__VA_ARGS__, &q);                                                                                     \
    MPI_Wait(&q, MPI_STATUS_IGNORE);                                                                                   \
    CHECK(OK);                                                                                                         \
    PERSISTENT(OK, NAME, __VA_ARGS__)                                                                                  \
  }

static void PART(collectives)(MPI_Comm comm) {
  PART(Ranks) all = PART(ranks_of)(comm);
  int n = all.n, r = all.r, value, in[MOST], out[MOST];
  COUNT ones[MOST];
  PLACE places[MOST], steps[MOST];
  MPI_Datatype types[MOST];
  for (int i = 0; i < MOST; ++i) {
    in[i] = 10 * r + i;
    ones[i] = 1;
    places[i] = i;
    steps[i] = i * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  int last = n - 1, below = r * (r - 1) / 2, sum = n * last / 2;
  EACH(out[last] == last, Allgather, Iallgather, &r, 1, MPI_INT, out, 1, MPI_INT, comm)
  EACH(out[last] == last, Allgatherv, Iallgatherv, &r, 1, MPI_INT, out, ones, places, MPI_INT, comm)
  EACH(out[0] == sum, Allreduce, Iallreduce, &r, out, 1, MPI_INT, MPI_SUM, comm)
  EACH(out[last] == 10 * last + r, Alltoall, Ialltoall, in, 1, MPI_INT, out, 1, MPI_INT, comm)
  EACH(out[last] == 10 * last + r, Alltoallv, Ialltoallv, in, ones, places, MPI_INT, out, ones, places, MPI_INT, comm)
  EACH(out[last] == 10 * last + r, Alltoallw, Ialltoallw, in, ones, steps, types, out, ones, steps, types, comm)
  EACH(value == last + 5, Bcast, Ibcast, &value, 1, MPI_INT, last, comm)
  EACH(r == 0 || out[0] == below, Exscan, Iexscan, &r, out, 1, MPI_INT, MPI_SUM, comm)
  EACH(r != 0 || out[last] == last, Gather, Igather, &r, 1, MPI_INT, out, 1, MPI_INT, 0, comm)
  EACH(r != last || out[last] == last, Gatherv, Igatherv, &r, 1, MPI_INT, out, ones, places, MPI_INT, last, comm)
  EACH(r != last || out[0] == sum, Reduce, Ireduce, &r, out, 1, MPI_INT, MPI_SUM, last, comm)
  EACH(out[0] == 10 * sum + n * r, Reduce_scatter, Ireduce_scatter, in, out, ones, MPI_INT, MPI_SUM, comm)
  EACH(out[0] == 10 * sum + n * r, Reduce_scatter_block, Ireduce_scatter_block, in, out, 1, MPI_INT, MPI_SUM, comm)
  EACH(out[0] == below + r, Scan, Iscan, &r, out, 1, MPI_INT, MPI_SUM, comm)
  EACH(out[0] == r, Scatter, Iscatter, in, 1, MPI_INT, out, 1, MPI_INT, 0, comm)
  EACH(out[0] == 10 * last + r, Scatterv, Iscatterv, in, ones, places, MPI_INT, out, 1, MPI_INT, last, comm)
}

/* RING: a communicator with both neighbours of each rank. */
static void PART(neighbours)(MPI_Comm ring) {
  PART(Ranks) all = PART(ranks_of)(ring);
  int r = all.r, value, in[2] = {r, r}, out[2];
  COUNT ones[2] = {1, 1};
  PLACE places[2] = {0, 1};
  MPI_Aint steps[2] = {0, sizeof(int)};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
#define OK out[0] == all.from &&out[1] == all.to
  EACH(OK, Neighbor_allgather, Ineighbor_allgather, &r, 1, MPI_INT, out, 1, MPI_INT, ring)
  EACH(OK, Neighbor_allgatherv, Ineighbor_allgatherv, &r, 1, MPI_INT, out, ones, places, MPI_INT, ring)
  EACH(OK, Neighbor_alltoall, Ineighbor_alltoall, in, 1, MPI_INT, out, 1, MPI_INT, ring)
  EACH(OK, Neighbor_alltoallv, Ineighbor_alltoallv, in, ones, places, MPI_INT, out, ones, places, MPI_INT, ring)
  EACH(OK, Neighbor_alltoallw, Ineighbor_alltoallw, in, ones, steps, types, out, ones, steps, types, ring)
#undef OK
}
#undef EACH
#undef RESET
#undef PERSISTENT

/* Messages to the next rank. The receives are posted before any rank sends: Rsend needs that. */
static void PART(messages)(MPI_Comm comm) {
  PART(Ranks) all = PART(ranks_of)(comm);
  int in = -1, room = 1000 + 8 * MPI_BSEND_OVERHEAD, size = all.n, from = all.from;
  char *buffer = malloc((size_t)room), *same;
  MPI_Request receive, send;
  MPI_Status status;
  MPI_Message matched;
  MPI_Buffer_attach(buffer, room);
#define RECEIVE(SENDING)                                                                                               \
  CALL(Irecv)(&in, 1, MPI_INT, from, 3, comm, &receive);                                                               \
  MPI_Barrier(comm);                                                                                                   \
  SENDING;                                                                                                             \
  MPI_Wait(&receive, MPI_STATUS_IGNORE);                                                                               \
  CHECK(in == from);                                                                                                   \
  in = -1;
#define TO &all.r, 1, MPI_INT, all.to, 3, comm
  RECEIVE(CALL(Send)(TO))
  RECEIVE(CALL(Ssend)(TO))
  RECEIVE(CALL(Bsend)(TO))
  RECEIVE(CALL(Rsend)(TO))
  RECEIVE(CALL(Isend)(TO, &send); MPI_Wait(&send, MPI_STATUS_IGNORE))
  RECEIVE(CALL(Issend)(TO, &send); MPI_Wait(&send, MPI_STATUS_IGNORE))
  RECEIVE(CALL(Ibsend)(TO, &send); MPI_Wait(&send, MPI_STATUS_IGNORE))
  RECEIVE(CALL(Irsend)(TO, &send); MPI_Wait(&send, MPI_STATUS_IGNORE))
#undef RECEIVE
#define SEND(RECEIVING)                                                                                                \
  CALL(Isend)(TO, &send);                                                                                              \
  RECEIVING;                                                                                                           \
  MPI_Wait(&send, MPI_STATUS_IGNORE);                                                                                  \
  CHECK(in == from);                                                                                                   \
  in = -1;
  int many[4]; /* more room than the message needs */
  SEND(CALL(Recv)(many, 4, MPI_INT, from, 3, comm, MPI_STATUS_IGNORE); in = many[0])
  SEND(MPI_Mprobe(from, 3, comm, &matched, &status); CALL(Mrecv)(&in, 1, MPI_INT, &matched, &status))
  SEND(MPI_Mprobe(from, 3, comm, &matched, &status); CALL(Imrecv)(&in, 1, MPI_INT, &matched, &receive);
       MPI_Wait(&receive, &status))
#undef SEND
  CALL(Sendrecv)(&all.r, 1, MPI_INT, all.to, 3, &in, 1, MPI_INT, from, 3, comm, MPI_STATUS_IGNORE);
  CHECK(in == from);
  in = all.r;
  CALL(Sendrecv_replace)(&in, 1, MPI_INT, all.to, 3, from, 3, comm, &status);
  CHECK(in == from);
#undef TO
#if MPI_VERSION >= 4
  in = -1;
  CALL(Isendrecv)(&all.r, 1, MPI_INT, all.to, 3, &in, 1, MPI_INT, from, 3, comm, &send);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  CHECK(in == from);
  in = all.r;
  CALL(Isendrecv_replace)(&in, 1, MPI_INT, all.to, 3, from, 3, comm, &send);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  CHECK(in == from);
#endif
  COUNT detached;
  CALL(Buffer_detach)(&same, &detached);
  CHECK(same == buffer && detached == room && size >= 3);
  free(buffer);
}

/* Each rank reads and writes the window of the next one. */
static void PART(windows)(MPI_Comm comm) {
  PART(Ranks) all = PART(ranks_of)(comm);
  int memory[4] = {all.r}, *own, *shared, result = -1, to = all.to;
  MPI_Win windows[3];
  MPI_Comm host;
  MPI_Request q;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  CALL(Win_allocate)(sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &own, &windows[0]);
  CALL(Win_allocate_shared)(sizeof(memory), sizeof(int), MPI_INFO_NULL, host, &shared, &windows[1]);
  CALL(Win_create)(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &windows[2]);
#define DATA &all.r, 1, MPI_INT
#define WHERE(AT) to, AT, 1, MPI_INT
/* After one, others' numbers have come, and no rank has sent its next. */
#define FENCE(OK)                                                                                                      \
  MPI_Win_fence(0, windows[2]);                                                                                        \
  CHECK(OK);                                                                                                           \
  MPI_Barrier(comm);
  MPI_Win_fence(0, windows[2]);
  CALL(Put)(DATA, WHERE(1), windows[2]);
  CALL(Get)(&result, 1, MPI_INT, WHERE(0), windows[2]);
  FENCE(memory[1] == all.from && result == to)
  CALL(Accumulate)(DATA, WHERE(1), MPI_SUM, windows[2]);
  FENCE(memory[1] == 2 * all.from)
  CALL(Get_accumulate)(DATA, &result, 1, MPI_INT, WHERE(1), MPI_SUM, windows[2]);
  FENCE(memory[1] == 3 * all.from && result == 2 * all.r)
  memory[2] = 0;
  MPI_Barrier(comm);
  MPI_Win_lock_all(0, windows[2]);
  CALL(Rput)(DATA, WHERE(1), windows[2], &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  CALL(Rget)(&result, 1, MPI_INT, WHERE(0), windows[2], &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  CHECK(result == to);
  CALL(Raccumulate)(DATA, WHERE(2), MPI_SUM, windows[2], &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Win_flush(to, windows[2]);
  CALL(Rget_accumulate)(DATA, &result, 1, MPI_INT, WHERE(2), MPI_SUM, windows[2], &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  CHECK(result == all.r);
  MPI_Win_unlock_all(windows[2]);
  MPI_Barrier(comm);
  CHECK(memory[1] == all.from && memory[2] == 2 * all.from);
#undef DATA
#undef WHERE
#undef FENCE
  for (int i = 0; i < 3; ++i)
    MPI_Win_free(&windows[i]);
  MPI_Comm_free(&host);
}

/* A file with a number of each rank. */
static void PART(files)(MPI_Comm comm, const char *path) {
  PART(Ranks) all = PART(ranks_of)(comm);
  int r = all.r, in = -1;
  MPI_Offset at = r * (MPI_Offset)sizeof(int);
  MPI_File file;
  MPI_Status status;
  MPI_Request q;
  FINE(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  FINE(MPI_File_set_size(file, 0));
  FINE(MPI_File_preallocate(file, 64));
  FINE(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
#define OUT &r, 1, MPI_INT
#define IN &in, 1, MPI_INT
#define GOT                                                                                                            \
  CHECK(in == r);                                                                                                      \
  in = -1
/* What the calls before have written is there to be read. */
#define SYNC                                                                                                           \
  FINE(MPI_File_sync(file));                                                                                           \
  MPI_Barrier(comm);                                                                                                   \
  FINE(MPI_File_seek(file, at, MPI_SEEK_SET));                                                                         \
  FINE(MPI_File_seek_shared(file, 0, MPI_SEEK_SET))
  SYNC;
  FINE(CALL(File_write)(file, OUT, &status));
  SYNC;
  FINE(CALL(File_read)(file, IN, &status));
  GOT;
  FINE(CALL(File_write_at)(file, at, OUT, &status));
  FINE(CALL(File_read_at)(file, at, IN, &status));
  GOT;
  SYNC;
  FINE(CALL(File_write_all)(file, OUT, &status));
  SYNC;
  FINE(CALL(File_read_all)(file, IN, &status));
  GOT;
  FINE(CALL(File_write_at_all)(file, at, OUT, &status));
  FINE(CALL(File_read_at_all)(file, at, IN, &status));
  GOT;
  SYNC;
  FINE(CALL(File_write_all_begin)(file, OUT));
  FINE(MPI_File_write_all_end(file, &r, &status));
  SYNC;
  FINE(CALL(File_read_all_begin)(file, IN));
  FINE(MPI_File_read_all_end(file, &in, &status));
  GOT;
  FINE(CALL(File_write_at_all_begin)(file, at, OUT));
  FINE(MPI_File_write_at_all_end(file, &r, &status));
  FINE(CALL(File_read_at_all_begin)(file, at, IN));
  FINE(MPI_File_read_at_all_end(file, &in, &status));
  GOT;
  SYNC;
  FINE(CALL(File_iwrite_all)(file, OUT, &q));
  MPI_Wait(&q, &status);
  SYNC;
  FINE(CALL(File_iread_all)(file, IN, &q));
  MPI_Wait(&q, &status);
  GOT;
  FINE(CALL(File_iwrite_at_all)(file, at, OUT, &q));
  MPI_Wait(&q, &status);
  FINE(CALL(File_iread_at_all)(file, at, IN, &q));
  MPI_Wait(&q, &status);
  GOT;
  SYNC;
  FINE(CALL(File_write_ordered)(file, OUT, &status));
  SYNC;
  FINE(CALL(File_read_ordered)(file, IN, &status));
  GOT;
  SYNC;
  FINE(CALL(File_write_ordered_begin)(file, OUT));
  FINE(MPI_File_write_ordered_end(file, &r, &status));
  SYNC;
  FINE(CALL(File_read_ordered_begin)(file, IN));
  FINE(MPI_File_read_ordered_end(file, &in, &status));
  GOT;
  SYNC;
  /* Which rank comes first isn't known. */
  FINE(CALL(File_write_shared)(file, OUT, &status));
  SYNC;
  FINE(CALL(File_read_shared)(file, IN, &status));
  CHECK(in >= 0 && in < all.n);
#undef SYNC
#undef GOT
#undef OUT
#undef IN
  FINE(MPI_File_close(&file));
}

static void PART(every)(MPI_Comm comm, MPI_Comm backwards, MPI_Comm ring, const char *path) {
  PART(collectives)(comm);
  PART(collectives)(backwards);
  PART(neighbours)(ring);
  PART(messages)(backwards);
  PART(windows)(comm);
  PART(files)(comm, path);
}
#undef CALL
#undef PART
#undef COUNT
#undef PLACE
