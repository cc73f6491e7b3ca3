// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of our CUPTI callback per launch, compared with an empty callback
// and with none, in one process, on the replay library (whose launches do
// nothing else).
//
//   LOOPSCOPE_CUPTI=.../libreplay-13.so gpu_callbacks [LAUNCHES]
//
// The rounds alternate, and the fastest of each counts.

#include "fake_cuda.h"

#include <loopscope/loopscope.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {
constexpr int Rounds = 15;

void empty(void * /*Data*/, unsigned /*Domain*/, unsigned /*Id*/,
           const void * /*CallbackData*/) {}

// Nanoseconds per launch.
double round(int Launches) {
  auto Start = std::chrono::steady_clock::now();
  {
    LOOPSCOPE_SCOPE("launches");
    for (int I = 0; I < Launches; ++I)
      cudaLaunchKernel("tiny", {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr);
  }
  std::chrono::duration<double, std::nano> Time =
      std::chrono::steady_clock::now() - Start;
  return Time.count() / Launches;
}
} // namespace

int main(int Count, char **Arguments) {
  int Launches = Count > 1 ? std::atoi(Arguments[1]) : 100000;
  ReplayCallback Ours = replaySetCallback(nullptr);
  if (Ours == nullptr) {
    std::fprintf(stderr, "gpu_callbacks: no GPU data is collected here\n");
    return 1;
  }
  struct Case {
    const char *Name;
    ReplayCallback Callback;
    double Ns;
  } Cases[] = {{"no callback", nullptr, 1e9},
               {"empty callback", empty, 1e9},
               {"Loopscope's callback", Ours, 1e9}};
  for (int I = 0; I < Rounds; ++I)
    for (Case &Each : Cases) {
      replaySetCallback(Each.Callback);
      Each.Ns = std::min(Each.Ns, round(Launches));
    }
  for (const Case &Each : Cases)
    std::printf("%-22s%8.1f ns a launch\n", Each.Name, Each.Ns);
  std::printf("Loopscope's beyond the empty one:%6.1f ns a launch\n",
              Cases[2].Ns - Cases[1].Ns);
  return 0;
}
