/* Counts a program's MPI calls below the wrappers: a library to preload, whose PMPI functions come
 * before MPI's. At the end each rank writes lines "NAME CALLS BYTES" to the file $SHIM.RANK, for
 * sent messages and for roots "to RANK CALLS BYTES" and "root RANK ...", and for messages that a
 * probe matched "matched RANK ...", with ranks in the world. Uses mpi.h, unlike the wrappers that
 * it is compared with. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALL = 64 };
static struct {
  const char *name;
  long calls, bytes;
} counts[ALL];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(const char *name, long bytes) {
  pthread_mutex_lock(&lock);
  int i = 0;
  while (counts[i].name && counts[i].name != name)
    ++i;
  counts[i].name = name;
  ++counts[i].calls;
  counts[i].bytes += bytes;
  pthread_mutex_unlock(&lock);
}

enum { TO, ROOT, MATCHED, ROLES, MOST_RANKS = 64 };
static const char *const roles[] = {"to", "root", "matched"};
static struct {
  long calls, bytes;
} peers[ROLES][MOST_RANKS];

static long with(int role, int peer, MPI_Comm comm, long bytes) {
  MPI_Group own, all;
  int there;
  if (peer < 0)
    return bytes; /* MPI_PROC_NULL */
  MPI_Comm_group(comm, &own);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_translate_ranks(own, 1, &peer, all, &there);
  MPI_Group_free(&own);
  MPI_Group_free(&all);
  pthread_mutex_lock(&lock);
  ++peers[role][there].calls;
  peers[role][there].bytes += bytes;
  pthread_mutex_unlock(&lock);
  return bytes;
}

static long of(long count, MPI_Datatype type) {
  int bytes;
  MPI_Type_size(type, &bytes);
  return count * bytes;
}

static long ranks(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  return n;
}

/* The program passes a status to each matched probe. */
static long bytes_in(const MPI_Status *status) {
  int bytes;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  return bytes;
}

#define SHIM(NAME, PARAMETERS, ARGUMENTS, BYTES)                               \
  int PMPI_##NAME PARAMETERS {                                                 \
    int(*next) PARAMETERS = dlsym(RTLD_NEXT, "PMPI_" #NAME);                   \
    int result = next ARGUMENTS;                                               \
    add("MPI_" #NAME, result == MPI_SUCCESS ? BYTES : 0);                      \
    return result;                                                             \
  }
#define TYPE MPI_Datatype

SHIM(Barrier, (MPI_Comm c), (c), 0)
SHIM(Allreduce, (const void *a, void *b, int n, TYPE t, MPI_Op o, MPI_Comm c),
     (a, b, n, t, o, c), of(n, t))
SHIM(Allgather,
     (const void *a, int n, TYPE t, void *b, int m, TYPE u, MPI_Comm c),
     (a, n, t, b, m, u, c), a == MPI_IN_PLACE ? of(m, u) : of(n, t))
SHIM(Alltoall,
     (const void *a, int n, TYPE t, void *b, int m, TYPE u, MPI_Comm c),
     (a, n, t, b, m, u, c), of(n, t) * ranks(c))
SHIM(Reduce_scatter_block,
     (const void *a, void *b, int n, TYPE t, MPI_Op o, MPI_Comm c),
     (a, b, n, t, o, c), of(n, t) * ranks(c))
SHIM(Bcast, (void *a, int n, TYPE t, int r, MPI_Comm c), (a, n, t, r, c),
     with(ROOT, r, c, of(n, t)))
SHIM(Reduce,
     (const void *a, void *b, int n, TYPE t, MPI_Op o, int r, MPI_Comm c),
     (a, b, n, t, o, r, c), with(ROOT, r, c, of(n, t)))
SHIM(Gather,
     (const void *a, int n, TYPE t, void *b, int m, TYPE u, int r, MPI_Comm c),
     (a, n, t, b, m, u, r, c), with(ROOT, r, c, of(n, t)))
SHIM(Scatter,
     (const void *a, int n, TYPE t, void *b, int m, TYPE u, int r, MPI_Comm c),
     (a, n, t, b, m, u, r, c), with(ROOT, r, c, of(m, u)))
SHIM(Scan, (const void *a, void *b, int n, TYPE t, MPI_Op o, MPI_Comm c),
     (a, b, n, t, o, c), of(n, t))
SHIM(Exscan, (const void *a, void *b, int n, TYPE t, MPI_Op o, MPI_Comm c),
     (a, b, n, t, o, c), of(n, t))
SHIM(Iallreduce,
     (const void *a, void *b, int n, TYPE t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (a, b, n, t, o, c, q), of(n, t))
SHIM(Ibarrier, (MPI_Comm c, MPI_Request *q), (c, q), 0)
SHIM(Send, (const void *a, int n, TYPE t, int to, int tag, MPI_Comm c),
     (a, n, t, to, tag, c), with(TO, to, c, of(n, t)))
SHIM(Isend,
     (const void *a, int n, TYPE t, int to, int tag, MPI_Comm c, MPI_Request *q),
     (a, n, t, to, tag, c, q), with(TO, to, c, of(n, t)))
SHIM(Issend,
     (const void *a, int n, TYPE t, int to, int tag, MPI_Comm c, MPI_Request *q),
     (a, n, t, to, tag, c, q), with(TO, to, c, of(n, t)))
SHIM(Irecv,
     (void *a, int n, TYPE t, int from, int tag, MPI_Comm c, MPI_Request *q),
     (a, n, t, from, tag, c, q), 0)
SHIM(Sendrecv,
     (const void *a, int n, TYPE t, int to, int tag, void *b, int m, TYPE u,
      int from, int tag2, MPI_Comm c, MPI_Status *s),
     (a, n, t, to, tag, b, m, u, from, tag2, c, s), with(TO, to, c, of(n, t)))
SHIM(Iallgatherv,
     (const void *a, int n, TYPE t, void *b, const int *m, const int *p, TYPE u,
      MPI_Comm c, MPI_Request *q),
     (a, n, t, b, m, p, u, c, q), of(n, t))
SHIM(Ialltoallv,
     (const void *a, const int *n, const int *p, TYPE t, void *b, const int *m,
      const int *o, TYPE u, MPI_Comm c, MPI_Request *q),
     (a, n, p, t, b, m, o, u, c, q), 0)
SHIM(Ialltoallw,
     (const void *a, const int *n, const int *p, const TYPE *t, void *b,
      const int *m, const int *o, const TYPE *u, MPI_Comm c, MPI_Request *q),
     (a, n, p, t, b, m, o, u, c, q), 0)
SHIM(Igather,
     (const void *a, int n, TYPE t, void *b, int m, TYPE u, int r, MPI_Comm c,
      MPI_Request *q),
     (a, n, t, b, m, u, r, c, q), with(ROOT, r, c, of(n, t)))
SHIM(Igatherv,
     (const void *a, int n, TYPE t, void *b, const int *m, const int *p, TYPE u,
      int r, MPI_Comm c, MPI_Request *q),
     (a, n, t, b, m, p, u, r, c, q), with(ROOT, r, c, 0))
SHIM(Iscatter,
     (const void *a, int n, TYPE t, void *b, int m, TYPE u, int r, MPI_Comm c,
      MPI_Request *q),
     (a, n, t, b, m, u, r, c, q), with(ROOT, r, c, of(m, u)))
SHIM(Iscatterv,
     (const void *a, const int *n, const int *p, TYPE t, void *b, int m, TYPE u,
      int r, MPI_Comm c, MPI_Request *q),
     (a, n, p, t, b, m, u, r, c, q), with(ROOT, r, c, 0))
SHIM(Ireduce_scatter,
     (const void *a, void *b, const int *n, TYPE t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (a, b, n, t, o, c, q), 0)
SHIM(Ireduce_scatter_block,
     (const void *a, void *b, int n, TYPE t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (a, b, n, t, o, c, q), of(n, t) * ranks(c))
SHIM(Iscan,
     (const void *a, void *b, int n, TYPE t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (a, b, n, t, o, c, q), of(n, t))
SHIM(Iexscan,
     (const void *a, void *b, int n, TYPE t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (a, b, n, t, o, c, q), of(n, t))
SHIM(Neighbor_allgather,
     (const void *a, int n, TYPE t, void *b, int m, TYPE u, MPI_Comm c),
     (a, n, t, b, m, u, c), 0)
SHIM(Neighbor_allgatherv,
     (const void *a, int n, TYPE t, void *b, const int *m, const int *p, TYPE u,
      MPI_Comm c),
     (a, n, t, b, m, p, u, c), 0)
SHIM(Neighbor_alltoall,
     (const void *a, int n, TYPE t, void *b, int m, TYPE u, MPI_Comm c),
     (a, n, t, b, m, u, c), 0)
SHIM(Neighbor_alltoallv,
     (const void *a, const int *n, const int *p, TYPE t, void *b, const int *m,
      const int *o, TYPE u, MPI_Comm c),
     (a, n, p, t, b, m, o, u, c), 0)
SHIM(Neighbor_alltoallw,
     (const void *a, const int *n, const MPI_Aint *p, const TYPE *t, void *b,
      const int *m, const MPI_Aint *o, const TYPE *u, MPI_Comm c),
     (a, n, p, t, b, m, o, u, c), 0)
SHIM(Mprobe,
     (int from, int tag, MPI_Comm c, MPI_Message *m, MPI_Status *s),
     (from, tag, c, m, s), (with(MATCHED, s->MPI_SOURCE, c, bytes_in(s)), 0))
SHIM(Mrecv, (void *a, int n, TYPE t, MPI_Message *m, MPI_Status *s),
     (a, n, t, m, s), 0)
SHIM(Imrecv, (void *a, int n, TYPE t, MPI_Message *m, MPI_Request *q),
     (a, n, t, m, q), 0)
SHIM(Wait, (MPI_Request * q, MPI_Status *s), (q, s), 0)
SHIM(Waitall, (int n, MPI_Request *q, MPI_Status *s), (n, q, s), 0)
SHIM(Waitany, (int n, MPI_Request *q, int *i, MPI_Status *s), (n, q, i, s), 0)
SHIM(Waitsome, (int n, MPI_Request *q, int *m, int *i, MPI_Status *s),
     (n, q, m, i, s), 0)
SHIM(Test, (MPI_Request * q, int *f, MPI_Status *s), (q, f, s), 0)
SHIM(Testall, (int n, MPI_Request *q, int *f, MPI_Status *s), (n, q, f, s), 0)
SHIM(Testany, (int n, MPI_Request *q, int *i, int *f, MPI_Status *s),
     (n, q, i, f, s), 0)
SHIM(Testsome, (int n, MPI_Request *q, int *m, int *i, MPI_Status *s),
     (n, q, m, i, s), 0)
SHIM(Comm_dup, (MPI_Comm c, MPI_Comm *d), (c, d), 0)
SHIM(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm *d),
     (c, color, key, d), 0)
SHIM(Comm_dup_with_info, (MPI_Comm c, MPI_Info i, MPI_Comm *d), (c, i, d), 0)
SHIM(Cart_create,
     (MPI_Comm c, int n, const int *dims, const int *around, int reorder,
      MPI_Comm *d),
     (c, n, dims, around, reorder, d), 0)
SHIM(Cart_sub, (MPI_Comm c, const int *keep, MPI_Comm *d), (c, keep, d), 0)
SHIM(Graph_create,
     (MPI_Comm c, int n, const int *index, const int *edges, int reorder,
      MPI_Comm *d),
     (c, n, index, edges, reorder, d), 0)
SHIM(Dist_graph_create,
     (MPI_Comm c, int n, const int *from, const int *degrees, const int *to,
      const int *weights, MPI_Info i, int reorder, MPI_Comm *d),
     (c, n, from, degrees, to, weights, i, reorder, d), 0)
SHIM(Dist_graph_create_adjacent,
     (MPI_Comm c, int in, const int *from, const int *weights, int out,
      const int *to, const int *others, MPI_Info i, int reorder, MPI_Comm *d),
     (c, in, from, weights, out, to, others, i, reorder, d), 0)
SHIM(Comm_free, (MPI_Comm * c), (c), 0)

/* The program receives three longs, with room for eight. */
int PMPI_Recv(void *a, int n, TYPE t, int from, int tag, MPI_Comm c,
              MPI_Status *s) {
  int (*next)(void *, int, TYPE, int, int, MPI_Comm, MPI_Status *) =
      dlsym(RTLD_NEXT, "PMPI_Recv");
  MPI_Status own;
  int result = next(a, n, t, from, tag, c, &own);
  int count;
  MPI_Get_count(&own, t, &count);
  add("MPI_Recv", of(count, t));
  if (s != MPI_STATUS_IGNORE)
    *s = own;
  return result;
}

int PMPI_Finalize(void) {
  int (*next)(void) = dlsym(RTLD_NEXT, "PMPI_Finalize");
  int rank;
  char path[4096];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof(path), "%s.%d", getenv("SHIM"), rank);
  FILE *out = fopen(path, "w");
  for (int i = 0; out && counts[i].name; ++i)
    fprintf(out, "%s %ld %ld\n", counts[i].name, counts[i].calls,
            counts[i].bytes);
  for (int role = 0; out && role < ROLES; ++role)
    for (int i = 0; i < MOST_RANKS; ++i)
      if (peers[role][i].calls)
        fprintf(out, "%s %d %ld %ld\n", roles[role], i, peers[role][i].calls,
                peers[role][i].bytes);
  if (out)
    fclose(out);
  return next();
}
