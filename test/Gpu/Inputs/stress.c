/* Eight threads do everything at once, for sanitize.sh: launches, copies, allocations, graphs that
 * are captured and launched, waits; each in its own phases, with every call in the timeline. Prints
 * the number of kernels that ran. */
#include "gpu.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { Threads = 8, Nodes = 3 };
static int turns = 100;

static void *train(void *unused) {
  char host[256] = "", device[256];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int turn = 0; turn < turns; ++turn) {
    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    void *memory;
    {
      PHASE(1, "draw");
      cudaMallocAsync(&memory, 4096, stream);
      cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream);
    }
    {
      PHASE(2, "forward");
      launch("forward", stream);
      cudaStreamBeginCapture(stream, 0);
      for (int i = 0; i < Nodes; ++i)
        launch("node", stream);
      cudaStreamEndCapture(stream, &graph);
      cudaGraphInstantiate(&runnable, graph, 0);
    }
    PHASE(3, "backward");
    cudaGraphLaunch(runnable, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(runnable);
    cudaGraphDestroy(graph);
    cudaFreeAsync(memory, stream);
  }
  cudaStreamDestroy(stream);
  return unused;
}

int main(int count, char **arguments) {
  pthread_t threads[Threads];
  if (count > 1)
    turns = atoi(arguments[1]);
  for (int i = 0; i < Threads; ++i)
    pthread_create(&threads[i], NULL, train, NULL);
  for (int i = 0; i < Threads; ++i)
    pthread_join(threads[i], NULL);
  printf("%d\n", Threads * turns * (1 + Nodes));
}
