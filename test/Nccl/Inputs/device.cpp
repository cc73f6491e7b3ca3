// Steps that compute on one stream and communicate on another: an all-reduce in parallel with the computation,
// two all-gathers in one kernel, and a send with its receive. device [SEED]: random sizes and order.
#include "fake_cuda.h"
#include "fake_nccl.h"

#include <cstdlib>
#include <loopscope/loopscope.h>
#include <random>

namespace {
constexpr loopscope_site Train = LOOPSCOPE_SITE(LOOPSCOPE_KIND_TRAIN, "train", 1, "main");
constexpr loopscope_site Forward = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "forward", 2, "main");
constexpr loopscope_site Backward = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "backward", 3, "main");

void compute(cudaStream_t stream) {
  dim3 grid = {200, 1, 1}, block = {128, 1, 1};
  cudaLaunchKernel("gemm", grid, block, nullptr, 0, stream);
}

void gather(fake_comm *comm, int count) {
  fake_group_start();
  for (int i = 0; i < count; ++i)
    fake_operation(comm, "AllGather", 1000, "ncclFloat32", 0);
  fake_group_end();
}
} // namespace

int main(int count, char **arguments) {
  std::mt19937 random(count > 1 ? static_cast<unsigned>(atoi(arguments[1])) : 0);
  auto pick = [&](unsigned usual, unsigned below) { return count > 1 ? random() % below : usual; };
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  fake_comm *comm = fake_comm_init(1, 2, 0, nullptr);
  loopscope_token loop = loopscope_loop_enter(&Train);
  for (int step = 0; step < 20; ++step) {
    loopscope_token open = loopscope_step_begin(loop);
    loopscope_token phase = loopscope_enter(&Forward);
    for (unsigned i = pick(3, 5); i-- > 0;)
      compute(stream);
    loopscope_leave(phase);
    phase = loopscope_enter(&Backward);
    for (unsigned i = pick(2, 4); i-- > 0;) {
      compute(stream);
      fake_operation(comm, "AllReduce", 1000, "ncclFloat32", 0);
    }
    if (unsigned gathers = pick(2, 4))
      gather(comm, static_cast<int>(gathers));
    if (pick(1, 2) != 0) {
      fake_group_start();
      fake_operation(comm, "Send", 100, "ncclInt8", 1);
      fake_operation(comm, "Recv", 100, "ncclInt8", 1);
      fake_group_end();
    }
    cudaDeviceSynchronize();
    loopscope_leave(phase);
    loopscope_step_end(open);
  }
  loopscope_leave(loop);
  fake_comm_destroy(comm);
}
