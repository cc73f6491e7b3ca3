// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times PyTorch's RECORD_USER_SCOPE under its Kineto profiler.
// Usage: PROGRAM NAME ROUNDS

#include "Harness.h"

#include <ATen/record_function.h>
#include <cstdio>
#include <cstdlib>
#include <torch/csrc/autograd/profiler_kineto.h>

static uint64_t runScopes(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I) {
    RECORD_USER_SCOPE("phase");
    bench::emptyBody();
  }
  return Spans;
}

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 2;
  namespace profiler = torch::autograd::profiler;
  profiler::ProfilerConfig Config(profiler::ProfilerState::KINETO);
  std::set<profiler::ActivityType> Activities = {profiler::ActivityType::CPU};
  profiler::prepareProfiler(Config, Activities);
  profiler::enableProfiler(Config, Activities, {at::RecordScope::USER_SCOPE});
  double PerNs = bench::ticksPerNanosecond();
  std::vector<bench::Figure> Figures =
      bench::measure({{"floor", 0, bench::runFloor, nullptr},
                      {"hooks", 0, runScopes, nullptr}},
                     static_cast<unsigned>(std::strtoul(Argv[2], nullptr, 10)));
  std::printf("row\tPyTorch RECORD_USER_SCOPE\t%f\t%f\t0\n",
              Figures[1].Ticks / PerNs, Figures[1].Ratio);
  return 0;
}
