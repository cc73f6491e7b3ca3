// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of functions without hooks, from samples in this program's own
// functions.

#include "Analysis/Samples/SwitchedOff.h"

#include "Analysis/Samples/SampledStacks.h"
#include "Symbols/ElfFile.h"

#include <gtest/gtest.h>

#include <climits>
#include <link.h>
#include <unistd.h>

using namespace loopscope;

extern "C" {
__attribute__((noinline)) int loopscope_test_first(int N) { return N + 1; }
__attribute__((noinline)) int loopscope_test_second(int N) { return N + 2; }
}

namespace {
// A run with a phase of SELF_NS nanoseconds, in which the two functions above
// were sampled, FIRST and SECOND times, once their hooks were off. A sample
// stands for 100 ns.
Run sampledRun(int64_t SelfNs, uint64_t First, uint64_t Second) {
  char Path[PATH_MAX] = "";
  EXPECT_GT(readlink("/proc/self/exe", Path, sizeof(Path) - 1), 0);
  uint64_t Bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Into) {
        *static_cast<uint64_t *>(Into) = Info->dlpi_addr;
        return 1; // the program comes first
      },
      &Bias);
  Run R;
  R.Threads.resize(1);
  R.Threads[0].IsMain = true;
  R.Threads[0].Root = 0;
  R.Nodes.resize(4);
  R.Nodes[0].Children = {1};
  R.Nodes[1].Children = {2, 3};
  R.Nodes[1].Kind = LOOPSCOPE_KIND_PHASE;
  R.Nodes[1].SelfNs = SelfNs;
  R.Stacks.CpuNs = (First + Second) * 100;
  R.Stacks.Objects = {{Path, ElfFile::read(Path)->buildId()}};
  R.Sites.resize(3);
  for (uint32_t I = 0; I < 4; ++I) {
    R.Nodes[I].Thread = 0;
    R.Nodes[I].Parent = I == 0 ? None : I == 1 ? 0 : 1;
    R.Nodes[I].Site = I == 0 ? None : I - 1;
  }
  for (uint32_t I = 0; I < 2; ++I) {
    StackSample Sample;
    Sample.Node = 1;
    Sample.Thread = 0;
    Sample.Count = I == 0 ? First : Second;
    auto Address = reinterpret_cast<uint64_t>(I == 0 ? &loopscope_test_first
                                                     : &loopscope_test_second);
    Sample.Frames = {{0, Address - Bias}};
    R.Stacks.Samples.push_back(Sample);
    R.Nodes[2 + I].Kind = LOOPSCOPE_KIND_FUNCTION;
  }
  // Where the functions are depends on the program's debug information.
  for (const SampledStack &Each : sampledStacks(R)) {
    const StackFunction &Of = Each.Functions.front();
    Site &At = R.Sites[Of.Name == "loopscope_test_first" ? 1 : 2];
    At.Kind = LOOPSCOPE_KIND_FUNCTION;
    At.Name = Of.Name;
    At.File = Of.File;
    At.Line = Of.Line;
    At.OffSinceNs = 5;
  }
  return R;
}
} // namespace

TEST(SwitchedOff, SamplesAreTimesOfFunctions) {
  loopscope::Run R = sampledRun(10000, 3, 2);
  std::vector<TimeOfSwitchedOff> Times = timesOfSwitchedOff(R);
  ASSERT_EQ(Times.size(), 2U);
  EXPECT_EQ(Times[0].Node, 1U);
  EXPECT_EQ(Times[0].Site, 1U);
  EXPECT_EQ(Times[0].Ns, 300);
  EXPECT_EQ(Times[1].Site, 2U);
  EXPECT_EQ(Times[1].Ns, 200);
}

// Samples are estimates, but the functions together took no more than their
// caller.
TEST(SwitchedOff, FunctionsTakeNoMoreThanTheirCallersOwnTime) {
  std::vector<TimeOfSwitchedOff> Times =
      timesOfSwitchedOff(sampledRun(400, 3, 2));
  ASSERT_EQ(Times.size(), 2U);
  EXPECT_EQ(Times[0].Ns, 300);
  EXPECT_EQ(Times[1].Ns, 100);
}
