// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time of a wait for an operation that has ended, and of an operation, of a
// library with LibTorch's functions that do next to nothing: nanoseconds, the
// minimum of many rounds. gloo-calls.sh runs it plain and with the wrappers.
#include "fake_c10d.h"

#include <algorithm>
#include <cstdio>

constexpr int Rounds = 200;
constexpr int Calls = 200;

template <typename Function>
static void measure(const char *Name, Function Call) {
  double Least = 1e18;
  for (int Round = 0; Round < Rounds; ++Round) {
    auto Began = std::chrono::steady_clock::now();
    for (int I = 0; I < Calls; ++I)
      Call();
    std::chrono::duration<double, std::nano> Took =
        std::chrono::steady_clock::now() - Began;
    Least = std::min(Least, Took.count() / Calls);
  }
  printf("%s %.1f\n", Name, Least);
}

int main() {
  c10d::ProcessGroupGloo *Group = make_group(0, 2);
  c10d::Tensors Gradients = {at::Tensor(1000, 4)};
  Group->Ms = -1; // no operation takes time
  auto Ended = Group->allreduce(Gradients, {});
  measure("Work::wait", [&] { Ended->wait(); });
  measure("allreduce", [&] { Group->allreduce(Gradients, {}); });
}
