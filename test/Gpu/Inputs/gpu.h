/* Launches for the programs of these tests. */
#ifndef GPU_H
#define GPU_H

#include "fake_cuda.h"
#include "survive.h"

#include <time.h>

/* A training loop and its steps. */
#ifdef PLAIN
#define TRAIN
#define STEP
#else
#define TRAIN __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main")
#define STEP __LOOPSCOPE_STEP(11, 10)
#endif

/* Launches a kernel by name: 200 blocks of 128 threads. */
static inline cudaError_t launch(const char *kernel, cudaStream_t stream) {
  dim3 grid = {200, 1, 1}, block = {128, 1, 1};
  return cudaLaunchKernel(kernel, grid, block, NULL, 0, stream);
}

/* Spends so many milliseconds by CLOCK. */
static inline void spin(clockid_t clock, double ms) {
  struct timespec now;
  double end = 0;
  for (;;) {
    clock_gettime(clock, &now);
    double at = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
    end = end == 0 ? at + ms : end;
    if (at >= end)
      return;
  }
}

#endif
