/* The program behind the profiles version-*.gz, each recorded by the last runtime that wrote that
 * version of the format: two epochs of three steps of 16 samples, a loader on its own thread, and a
 * phase that is open at the end. Since 1.1 with -DGPU and the replayed CUDA of that version
 * (test/replay).
 *
 *   LOOPSCOPE=trace,cap=4M,report=none,output=version-1.2 ./train
 *   gzip -9n version-1.2 */
#include <loopscope/loopscope.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef GPU
#include "fake_cuda.h"
static void launch(const char *kernel) {
  dim3 grid = {200, 1, 1}, block = {128, 1, 1};
  cudaLaunchKernel(kernel, grid, block, NULL, 0, NULL);
}
#endif
#define SITE(name, kind, text, line)                                           \
  static const loopscope_site name = LOOPSCOPE_SITE(kind, text, line, "main")
SITE(fit, LOOPSCOPE_KIND_FIT, "fit", 10);
SITE(epoch, LOOPSCOPE_KIND_EPOCH, "epoch", 11);
SITE(train, LOOPSCOPE_KIND_TRAIN, "train", 12);
SITE(forward, LOOPSCOPE_KIND_PHASE, "forward", 13);
SITE(backward, LOOPSCOPE_KIND_PHASE, "backward", 14);
SITE(decode, LOOPSCOPE_KIND_PHASE, "decode", 20);
SITE(last, LOOPSCOPE_KIND_PHASE, "save", 21);
static void *loader(void *unused) {
  for (int i = 0; i < 5; ++i) {
    loopscope_token t = loopscope_enter(&decode);
    usleep(100);
    loopscope_leave(t);
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, loader, NULL);
  pthread_join(thread, NULL);
#ifdef GPU
  void *weights;
  cudaMalloc(&weights, 4000);
#endif
  loopscope_token f = loopscope_enter(&fit);
  for (int e = 0; e < 2; ++e) {
    loopscope_token t = loopscope_enter(&epoch);
    loopscope_token l = loopscope_loop_enter(&train);
    for (int i = 0; i < 3; ++i) {
      usleep(100);
      loopscope_token s = loopscope_step_begin(l);
      loopscope_samples(s, 16);
      loopscope_token p = loopscope_enter(&forward);
      usleep(200);
#ifdef GPU
      static char host[1024], device[1024];
      cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
      launch("gemm");
#endif
      loopscope_leave(p);
      p = loopscope_enter(&backward);
      usleep(300);
#ifdef GPU
      launch("grad");
      launch("grad");
      cudaDeviceSynchronize();
#endif
      loopscope_leave(p);
      loopscope_step_end(s);
    }
    loopscope_leave(l);
    loopscope_leave(t);
  }
  loopscope_leave(f);
  loopscope_enter(&last);
  exit(0);
}
