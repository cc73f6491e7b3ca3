// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns addresses into functions and adds up equal stacks.

#include "Analysis/Samples/SampledStacks.h"

#include "Analysis/Samples/FunctionRows.h"
#include "Support/Numbers.h"

#include <loopscope/run_settings.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
std::vector<StackFunction>
stackFunctions(const std::vector<SampleFrame> &Frames) {
  std::vector<StackFunction> Result;
  for (auto Each = Frames.rbegin(); Each != Frames.rend(); ++Each)
    Result.push_back({frameName(Each->Source, Each->Object != None),
                      Each->Source.File, Each->Source.FirstLine});
  return Result;
}

// Processor time per sample; if it wasn't measured, the requested interval.
double nsPerSample(const Run &R) {
  const StackData &Of = R.Stacks;
  uint64_t Samples = 0;
  for (const StackSample &Each : Of.Samples)
    Samples += Each.Count;
  if (Of.CpuNs != 0 && Samples != 0)
    return static_cast<double>(Of.CpuNs) / static_cast<double>(Samples);
  uint64_t Hz = R.Given.of(LOOPSCOPE_SETTING_STACKS_HZ);
  return Hz == 0 ? 0 : NsPerSecond / static_cast<double>(Hz);
}
} // namespace

std::vector<SampledStack> loopscope::sampledStacks(const Run &R) {
  using Key =
      std::tuple<std::string, uint32_t, bool, std::vector<StackFunction>>;
  struct Sums {
    uint64_t Count = 0;
    std::map<uint32_t, uint64_t> Lines;
  };
  Symbols Names;
  std::map<Key, Sums> Found;
  for (const StackSample &S : R.Stacks.Samples) {
    std::vector<SampleFrame> Frames = framesOf(R.Stacks, S, Names);
    Sums &To = Found[{sampleThread(R, S), S.Node, S.IsForeign,
                      stackFunctions(Frames)}];
    To.Count += S.Count;
    // A line of another file, such as a macro's or a fragment's, isn't in the
    // function.
    const SourceFrame &Innermost = Frames.front().Source;
    if (Innermost.Line != 0 && Innermost.LineFile == Innermost.File)
      To.Lines[Innermost.Line] += S.Count;
  }
  double Ns = nsPerSample(R);
  std::vector<SampledStack> Result;
  for (auto &[K, Of] : Found) {
    const auto &[Thread, Node, IsForeign, Functions] = K;
    Result.push_back(
        {Thread, Node, IsForeign, Functions, Of.Count, std::move(Of.Lines),
         static_cast<int64_t>(Ns * static_cast<double>(Of.Count))});
  }
  return Result;
}

std::vector<int64_t>
loopscope::timeWithoutSamples(const Run &R,
                              const std::vector<SampledStack> &Stacks) {
  std::vector<int64_t> Result;
  for (const Node &N : R.Nodes)
    Result.push_back(
        saturatingAdd(saturatingAdd(N.SelfNs, N.HookNs), N.ExcludedNs));
  for (const SampledStack &Each : Stacks)
    if (Each.Node != None && !Each.IsForeign) {
      int64_t &Left = Result[Each.Node];
      Left -= std::min(Each.Ns, std::max<int64_t>(Left, 0));
    }
  return Result;
}
