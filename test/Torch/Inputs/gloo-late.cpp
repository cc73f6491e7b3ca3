// A rank of data parallel training with a group of two ranks: STEPS steps, in which rank 1 computes MORE
// milliseconds longer than rank 0.
#include "fake_c10d.h"

#include <cstdlib>
#include <loopscope/hooks.h>
#include <thread>

int main(int, char **Arguments) {
  int Rank = atoi(getenv("RANK"));
  int Steps = atoi(Arguments[1]), More = Rank == 1 ? atoi(Arguments[2]) : 0;
  c10d::ProcessGroupGloo Group({}, Rank, 2, {});
  c10d::Tensors Gradients = {at::Tensor(1000, 4)};
  auto Compute = [](int Ms) { std::this_thread::sleep_for(std::chrono::milliseconds(Ms)); };
  Group.barrier({})->wait();
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
  for (int I = 0; I < Steps; ++I) {
    __LOOPSCOPE_STEP(2, 1);
    {
      __LOOPSCOPE_SPAN(3, PHASE, "forward", 2, "main");
      Compute(5 + More);
    }
    __LOOPSCOPE_SPAN(4, PHASE, "backward", 3, "main");
    Compute(5);
    auto First = Group.allreduce(Gradients, {});
    Compute(2);
    First->wait();
    Group.allreduce(Gradients, {})->wait();
  }
}
