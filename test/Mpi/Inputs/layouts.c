/* Layouts of ranks that sleep instead of computing, and whose culprit is known.
 *
 *   layouts LAYOUT WHERE WHO MS STEPS
 *
 * LAYOUT: dp (data parallel), hier (communicators of two ranks, none of all), pipe (a stage per rank, four
 * micro-batches), shard (collectives of unequal sizes), overlap (Iallreduce and Waitall), thread (a thread that
 * communicates), mpmd (odd ranks have phases of their own). WHERE: the phase in which WHO takes MS longer. WHO: a rank,
 * -1: nobody, -2: in turns. ONCE after STEPS: in that step alone. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 4096, MICRO = 4, MOST = 16 };
static int me, ranks, who, ms, step, once = -1;
static const char *where;
static float x[N], y[N * MOST], sum;

static void spend(const char *phase, int us) {
  int late = who == me || (who == -2 && step * 7 % 11 % ranks == me);
  if (once >= 0)
    late &= step == once;
  usleep((unsigned)(us + (late && !strcmp(phase, where) ? ms * 1000 : 0)));
}

static void load(void) {
  __LOOPSCOPE_SPAN(10, PHASE, "load", 10, "main");
  spend("load", 2000);
}
static void forward(int us) {
  __LOOPSCOPE_SPAN(11, PHASE, "forward", 11, "main");
  spend("forward", us);
}
static void backward(int us) {
  __LOOPSCOPE_SPAN(12, PHASE, "backward", 12, "main");
  spend("backward", us);
}
static void optimise(void) {
  __LOOPSCOPE_SPAN(13, PHASE, "optimise", 13, "main");
  spend("optimise", 1000);
}
static void coupled(int us) {
  __LOOPSCOPE_SPAN(14, PHASE, "solve", 14, "main");
  spend("solve", us);
}

static void agree(void) {
  float one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void dp(void) {
  load();
  forward(5000);
  backward(8000);
  MPI_Allreduce(x, y, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  optimise();
}

static void hier(MPI_Comm node, MPI_Comm across) {
  load();
  forward(5000);
  backward(8000);
  __LOOPSCOPE_SPAN(20, PHASE, "sync", 20, "main");
  MPI_Allreduce(x, y, N, MPI_FLOAT, MPI_SUM, node);
  MPI_Allreduce(x, y, N, MPI_FLOAT, MPI_SUM, across);
  MPI_Bcast(y, N, MPI_FLOAT, 0, node);
}

static void pipe_(void) {
  for (int m = 0; m < MICRO; ++m) {
    if (me > 0)
      MPI_Recv(x, N, MPI_FLOAT, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    forward(2000);
    if (me + 1 < ranks)
      MPI_Send(x, N, MPI_FLOAT, me + 1, 0, MPI_COMM_WORLD);
  }
  for (int m = 0; m < MICRO; ++m) {
    if (me + 1 < ranks)
      MPI_Recv(x, N, MPI_FLOAT, me + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    backward(3000);
    if (me > 0)
      MPI_Send(x, N, MPI_FLOAT, me - 1, 1, MPI_COMM_WORLD);
  }
  optimise();
  agree();
}

static void shard(void) {
  int counts[MOST], at[MOST], all = 0;
  for (int r = 0; r < ranks; ++r) {
    counts[r] = 100 + 50 * r;
    at[r] = all;
    all += counts[r];
  }
  MPI_Allgatherv(x, counts[me], MPI_FLOAT, y, counts, at, MPI_FLOAT, MPI_COMM_WORLD);
  forward(5000);
  MPI_Allgatherv(x, counts[me], MPI_FLOAT, y, counts, at, MPI_FLOAT, MPI_COMM_WORLD);
  backward(8000);
  MPI_Reduce_scatter(y, x, counts, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  optimise();
}

static void overlap(void) {
  MPI_Request q[2];
  load();
  forward(5000);
  backward(4000);
  MPI_Iallreduce(x, y, N / 2, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &q[0]);
  backward(4000);
  MPI_Iallreduce(x + N / 2, y + N / 2, N / 2, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &q[1]);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  optimise();
}

static void *communicate(void *unused) {
  (void)unused;
  MPI_Allreduce(x, y, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  return 0;
}
static void thread(void) {
  pthread_t other;
  load();
  forward(5000);
  pthread_create(&other, 0, communicate, 0);
  backward(8000);
  {
    __LOOPSCOPE_SPAN(21, WAIT, "join", 21, "main");
    pthread_join(other, 0);
  }
  optimise();
}

static void mpmd(void) {
  if (me % 2 == 0) {
    load();
    forward(13000);
  } else {
    coupled(15000);
  }
  agree();
}

int main(int argc, char **argv) {
  int provided;
  MPI_Comm node, across;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char *layout = argv[1];
  where = argv[2], who = atoi(argv[3]), ms = atoi(argv[4]);
  int steps = atoi(argv[5]);
  if (argc > 6)
    once = atoi(argv[6]);
  MPI_Comm_split(MPI_COMM_WORLD, me / 2, me, &node);
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &across);
  {
    __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
    for (step = 0; step < steps; ++step) {
      __LOOPSCOPE_STEP(2, 1);
      if (!strcmp(layout, "dp"))
        dp();
      else if (!strcmp(layout, "hier"))
        hier(node, across);
      else if (!strcmp(layout, "pipe"))
        pipe_();
      else if (!strcmp(layout, "shard"))
        shard();
      else if (!strcmp(layout, "overlap"))
        overlap();
      else if (!strcmp(layout, "thread"))
        thread();
      else
        mpmd();
    }
  }
  MPI_Finalize();
}
