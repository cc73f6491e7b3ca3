/* Three hundred launches, each on a stream of its own. */
#include "gpu.h"

int main(void) {
  PHASE(1, "burst");
  cudaStream_t streams[300];
  for (int i = 0; i < 300; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < 300; ++i)
    launch("burst", streams[i]);
}
