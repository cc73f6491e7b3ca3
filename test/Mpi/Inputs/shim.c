/* Counts what a program asks of MPI, below the wrappers: a library to be preloaded, whose
 * PMPI functions stand before MPI's. At the end of each rank it writes lines "NAME CALLS
 * BYTES" to the file $SHIM.RANK, and for messages that were sent and for roots "to RANK CALLS
 * BYTES" and "root RANK ...", by ranks in the world. With mpi.h, unlike what it is compared
 * with. */
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

enum { TO, ROOT, ROLES, MOST_RANKS = 64 };
static const char *const roles[] = {"to", "root"};
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
