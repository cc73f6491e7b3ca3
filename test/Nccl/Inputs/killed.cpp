// Ends as if by kill -9, after seven operations.
#include "fake_nccl.h"

#include <csignal>
#include <loopscope/hooks.h>

int main() {
  fake_comm *comm = fake_comm_init(1, 2, 0, nullptr);
  __LOOPSCOPE_SPAN(1, PHASE, "backward", 1, "main");
  for (int i = 0; i < 7; ++i)
    fake_operation(comm, "ReduceScatter", 1000, "ncclInt64", 0);
  raise(SIGKILL);
}
