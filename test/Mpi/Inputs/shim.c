/* Counts a program's MPI calls below the wrappers: a library to preload, whose PMPI functions come before MPI's. They
 * follow these helpers in the source that test/tools/mpi-shim.py writes. At the end each rank writes lines
 * "NAME CALLS BYTES NANOSECONDS" to the file $SHIM.RANK, for sent messages and for roots "to RANK CALLS BYTES" and
 * "root RANK ...", and for messages that a probe matched "matched RANK ...", with ranks in the world. Uses mpi.h, unlike
 * the wrappers that it is compared with. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ALL = 512 };
static struct {
  const char *name;
  long calls, bytes, ns;
} counts[ALL];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* More than 0 in a function of the library, which may call others of MPI's. */
static __thread int depth;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void add_to(const char *name, int calls, long bytes, long ns) {
  pthread_mutex_lock(&lock);
  int i = 0;
  while (counts[i].name && strcmp(counts[i].name, name))
    ++i;
  counts[i].name = name;
  counts[i].calls += calls;
  counts[i].bytes += bytes;
  counts[i].ns += ns;
  pthread_mutex_unlock(&lock);
}
static long begin(const char *name) {
  add_to(name, 1, 0, 0);
  return now();
}
static void add(const char *name, long bytes, long ns) { add_to(name, 0, bytes, ns); }

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

static int own(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static long ranks(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  return n;
}

static long received(const MPI_Status *status, MPI_Datatype type) {
  int count;
  MPI_Get_count(status, type, &count);
  return of(count, type);
}

static long bytes_in(const MPI_Status *status) {
  int bytes;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  return bytes;
}

static void write_counts(void) {
  int rank;
  char path[4096];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof(path), "%s.%d", getenv("SHIM"), rank);
  FILE *out = fopen(path, "w");
  for (int i = 0; out && counts[i].name; ++i)
    fprintf(out, "%s %ld %ld %ld\n", counts[i].name, counts[i].calls, counts[i].bytes, counts[i].ns);
  for (int role = 0; out && role < ROLES; ++role)
    for (int i = 0; i < MOST_RANKS; ++i)
      if (peers[role][i].calls)
        fprintf(out, "%s %d %ld %ld\n", roles[role], i, peers[role][i].calls,
                peers[role][i].bytes);
  if (out)
    fclose(out);
}
