/* Executes a script, on as many threads as it has; see generate.py. Reports
 * each call that puts work on a device or waits to the replay library, with its
 * call path. */
#include "gpu.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { Threads = 700, Streams = 3, Depth = 16, Most = 1 << 20 };

struct Thread {
  const char *at; /* position in the script */
  int number;
  char path[256];
  cudaStream_t streams[Streams + 1]; /* the last one is the default stream */
  cudaGraphExec_t graph;
  pthread_t handle;
};
static struct Thread threads[Threads];
static char here[Most], there[Most];

static void play(struct Thread *t);

static void ignore(void *data, unsigned domain, unsigned id, const void *info) {
  (void)data, (void)domain, (void)id, (void)info;
}

/* Runs everything up to the ')' inside a phase with its own call path. */
static void phase(struct Thread *t, int which) {
  size_t length = strlen(t->path);
  snprintf(t->path + length, sizeof t->path - length, "/p%d", which);
  replayLabel(t->path);
#define CASE(N)                                                                \
  case N: {                                                                    \
    PHASE(N, "p" #N);                                                          \
    play(t);                                                                   \
    break;                                                                     \
  }
  switch (which) {
    CASE(0)
    CASE(1)
    CASE(2)
    CASE(3)
    CASE(4)
    CASE(5)
    CASE(6)
    CASE(7)
  }
  t->path[length] = 0;
  replayLabel(t->path);
}

/* Runs everything up to the ')' in each of the STEPS steps of a training
 * loop. */
static void loop(struct Thread *t, int steps) {
  const char *body = t->at;
  size_t length = strlen(t->path);
  snprintf(t->path + length, sizeof t->path - length, "/train/step/batch");
  replayLabel(t->path);
  {
    __LOOPSCOPE_SPAN(8, TRAIN, "train", 8, "player");
    for (int i = 0; i < steps; ++i) {
      __LOOPSCOPE_STEP(9, 8);
      t->at = body;
      play(t);
    }
  }
  t->path[length] = 0;
  replayLabel(t->path);
}

static void *run(void *data) {
  struct Thread *t = data;
  int device;
  sscanf(t->at, "%d", &device);
  t->at = strchr(t->at, '\n') + 1;
  cudaSetDevice(device);
  for (int i = 0; i < Streams; ++i)
    cudaStreamCreate(&t->streams[i]);
  strcpy(t->path, t->number == 0 ? "main" : "thread");
  replayLabel(t->path);
  play(t);
  return NULL;
}

/* Runs one instruction: a letter, then numbers. False at the end of a block. */
static int step(struct Thread *t) {
  char letter = 0;
  int a = 0, b = 0, c = 0;
  sscanf(t->at, "%c %d %d %d", &letter, &a, &b, &c);
  t->at = strchr(t->at, '\n') + 1;
  unsigned long long began = replayTime();
  char name[16];
  dim3 grid = {(unsigned)b, 1, 1}, block = {128, 1, 1};
  cudaGraph_t graph;
  cudaEvent_t event;
  cudaStream_t stream;
  void *handle;
  const char *what = "other";
  switch (letter) {
  case '(':
    phase(t, a);
    return 1;
  case 'T': /* STEPS */
    loop(t, a);
    return 1;
  case 'k': /* kernel BLOCKS STREAM */
    snprintf(name, sizeof name, "k%d", a);
    cudaLaunchKernel(name, grid, block, NULL, 0, t->streams[c]);
    what = "launch";
    break;
  case 'c': /* direction BYTES STREAM */
    cudaMemcpyAsync(here, there, (size_t)b, (enum cudaMemcpyKind)a,
                    t->streams[c]);
    what = "launch";
    break;
  case 'm':
    cudaMemsetAsync(here, 0, (size_t)b, t->streams[c]);
    what = "launch";
    break;
  case 'p': /* to device BYTES STREAM */
    cudaMemcpyPeerAsync(here, a, there, 0, (size_t)b, t->streams[c]);
    what = "launch";
    break;
  case 'C':
    cudaMemcpy(here, there, (size_t)b, (enum cudaMemcpyKind)a);
    what = "wait";
    break;
  case 's':
    cudaStreamSynchronize(t->streams[a]);
    what = "wait";
    break;
  case 'd':
    cudaDeviceSynchronize();
    what = "wait";
    break;
  case 'e':
    cudaEventCreate(&event);
    cudaEventRecord(event, t->streams[a]);
    began = replayTime();
    cudaEventSynchronize(event);
    what = "wait";
    break;
  case 'g': /* kernel COUNT: makes the thread's graph */
    snprintf(name, sizeof name, "k%d", a);
    grid.x = 100;
    cudaStreamBeginCapture(t->streams[0], 0);
    for (int i = 0; i < b; ++i)
      cudaLaunchKernel(name, grid, block, NULL, 0, t->streams[0]);
    cudaStreamEndCapture(t->streams[0], &graph);
    cudaGraphInstantiate(&t->graph, graph, 0);
    break;
  case 'G':
    cudaGraphLaunch(t->graph, t->streams[a]);
    what = "launch";
    break;
  case 'P': /* one that doesn't end, on its own stream */
    cudaStreamCreate(&stream);
    began = replayTime();
    cudaLaunchKernel("forever", (dim3){1, 1, 1}, block, NULL, 0, stream);
    what = "launch";
    break;
  case 'S':
    cuptiSubscribe(&handle, ignore, NULL);
    cuptiActivityFlushAll(0);
    break;
  case 'u':
    usleep((useconds_t)a);
    break;
  case 't':
    pthread_create(&threads[a].handle, NULL, run, &threads[a]);
    break;
  case 'j':
    pthread_join(threads[a].handle, NULL);
    break;
  default:
    return 0;
  }
  replayCall(what, began);
  return 1;
}

static void play(struct Thread *t) {
  while (step(t)) {
  }
}

int main(int count, char **arguments) {
  FILE *file = fopen(getenv("SCRIPT"), "r");
  static char script[1 << 22];
  script[fread(script, 1, sizeof script - 1, file)] = 0;
  fclose(file);
  for (char *at = script; (at = strstr(at, "thread ")) != NULL; ++at) {
    int number = atoi(at + 7);
    threads[number].number = number;
    threads[number].at = strchr(at + 7, ' ') + 1;
  }
  cudaGetDeviceCount(&(int){0}); /* the tool starts, and sets its clock */
  memset(here, count > 100 ? arguments[0][0] : 1, sizeof here);
  run(&threads[0]);
  return 0;
}
