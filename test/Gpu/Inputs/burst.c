/* Five thousand launches, each on its own stream. */
#include "gpu.h"

enum { Launches = 5000 };

int main(void) {
  PHASE(1, "burst");
  cudaStream_t streams[Launches];
  for (int i = 0; i < Launches; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < Launches; ++i)
    launch("burst", streams[i]);
}
