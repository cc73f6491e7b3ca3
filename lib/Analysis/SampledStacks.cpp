// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses -> functions, and equal stacks added up.

#include "Analysis/SampledStacks.h"

#include "Analysis/FunctionRows.h"
#include "Support/Numbers.h"

#include <map>
#include <tuple>

using namespace loopscope;

namespace {
std::vector<StackFunction>
stackFunctions(const StackData &Stacks, const StackSample &S, Symbols &Names) {
  std::vector<StackFunction> Result;
  std::vector<SampleFrame> Frames = framesOf(Stacks, S, Names);
  for (auto Each = Frames.rbegin(); Each != Frames.rend(); ++Each)
    Result.push_back({frameName(Each->Source, Each->Object != None),
                      Each->Source.File, Each->Source.FirstLine});
  return Result;
}

// Processor time per sample; without it, what was asked for.
double nsPerSample(const StackData &Of) {
  uint64_t Samples = 0;
  for (const StackSample &Each : Of.Samples)
    Samples += Each.Count;
  if (Of.CpuNs != 0 && Samples != 0)
    return static_cast<double>(Of.CpuNs) / static_cast<double>(Samples);
  return Of.Hz == 0 ? 0 : NsPerSecond / static_cast<double>(Of.Hz);
}
} // namespace

std::vector<SampledStack> loopscope::sampledStacks(const Run &P) {
  using Key =
      std::tuple<std::string, uint32_t, bool, std::vector<StackFunction>>;
  Symbols Names;
  std::map<Key, uint64_t> Counts;
  for (const StackSample &S : P.Stacks.Samples)
    Counts[{sampleThread(P, S), S.Node, S.IsForeign,
            stackFunctions(P.Stacks, S, Names)}] += S.Count;
  double Ns = nsPerSample(P.Stacks);
  std::vector<SampledStack> Result;
  for (const auto &[K, Count] : Counts) {
    const auto &[Thread, Node, IsForeign, Functions] = K;
    Result.push_back({Thread, Node, IsForeign, Functions, Count,
                      static_cast<int64_t>(Ns * static_cast<double>(Count))});
  }
  return Result;
}
