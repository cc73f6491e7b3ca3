// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU chunks of a profile: values, damage, and joining.

#include "Run/Combine/Merge.h"
#include "Run/Read/ProfileReader.h"

#include "ProfileDescription.h"
#include "Report/Print/Printers.h"
#include "Report/Views/BuildSection.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <span>

using namespace loopscope;

namespace {
const std::string Description = R"(
wall 10s
thread main
  train train spans=9s
    step spans=10x900ms
      draw spans=10x100ms
      batch spans=10x800ms
        phase forward spans=10x300ms launches=20/10ms calls=3/1ms
        phase backward spans=10x200ms launches=10/5ms
        phase opt_step spans=10x300ms waits=10/250ms
gpu on cupti=130001 launches=30 records=41 cost=2ms overhead=1ms,2ms,3ms,4ms
device 0 NVIDIA H100 cc=9.0 sms=132 warps=64 memory=80000 from=1s to=9s busy=6s kernels=5s copies=2s sm=4s
kernel forward _Z4gemmPf device=0 spans=19x100ms,1x50ms shorter=3 graph=2 queue=1s blocks=1.5 occupancy=0.25
kernel backward _Z4gradPf device=0 spans=10x300ms
kernel none _Z4gemmPf device=0 spans=1x7ms no-time=2
copy forward htod device=0 spans=10x20ms bytes=4000000000
set forward device=0 spans=1x1ms bytes=64
union forward device=0 busy=2s kernels=1900ms idle=500ms
union backward device=0 busy=3s kernels=3s idle=10ms
overlap device=0 busy=1s kernels=forward
overlap device=0 busy=1s kernels=forward kernels=backward
overlap device=0 busy=2s kernels=backward more
wait opt_step backward 240ms
wait opt_step none 5ms
event launch forward cudaLaunchKernel at=1s for=10us correlation=5
event kernel forward _Z4gemmPf at=1001ms for=100ms stream=7 correlation=5 grid=132,2 block=256 occupancy=0.5
event copy forward - at=900ms for=20ms direction=htod stream=7 correlation=4 bytes=400
)";

Result<loopscope::Run> parse(const std::string &Bytes) {
  return readProfile(std::as_bytes(std::span(Bytes)), "test",
                     WithTimeline::Yes);
}

Run parsed(const std::string &Text) {
  Result<loopscope::Run> R = parse(describedProfile(Text));
  EXPECT_TRUE(R);
  return R ? std::move(*R) : loopscope::Run();
}

uint32_t nodeNamed(const Run &R, const std::string &Name) {
  for (uint32_t I = 0; I < R.Nodes.size(); ++I)
    if (R.nameOf(R.Nodes[I]) == Name)
      return I;
  return None;
}

constexpr int64_t Ms = 1'000'000;
} // namespace

TEST(GpuReader, HeaderAndDevices) {
  loopscope::Run R = parsed(Description);
  EXPECT_EQ(R.Lost.BadRecords, 0U);
  const GpuData &G = R.Gpu;
  EXPECT_EQ(G.State, LOOPSCOPE_GPU_ON);
  EXPECT_EQ(G.CuptiVersion, 130001U);
  EXPECT_EQ(G.Launches, 30U);
  EXPECT_EQ(G.Records, 41U);
  EXPECT_EQ(G.CostNs, 2 * Ms);
  EXPECT_EQ(G.OverheadNs[3], 4 * Ms);
  EXPECT_EQ(G.EndNs, -1);
  ASSERT_EQ(G.Devices.size(), 1U);
  const GpuDevice &D = G.Devices[0];
  EXPECT_EQ(D.Name, "NVIDIA H100");
  EXPECT_EQ(D.ComputeMajor, 9);
  EXPECT_EQ(D.spanNs(), 8000 * Ms);
  EXPECT_EQ(D.BusyNs, 6000 * Ms);
  EXPECT_EQ(D.MultiprocessorNs, 4000.0 * Ms);
}

TEST(GpuReader, WorkUnionsWaitsAndCalls) {
  loopscope::Run R = parsed(Description);
  const GpuData &G = R.Gpu;
  uint32_t Forward = nodeNamed(R, "forward");
  ASSERT_EQ(G.Work.size(), 5U);
  const GpuWork &W = G.Work[0];
  EXPECT_EQ(W.Node, Forward);
  EXPECT_EQ(G.Functions[W.Function], "_Z4gemmPf");
  EXPECT_EQ(W.Count, 20U);
  EXPECT_EQ(W.SumNs, 1950 * Ms);
  EXPECT_EQ(W.MinNs, 50 * Ms);
  EXPECT_EQ(W.MaxNs, 100 * Ms);
  EXPECT_EQ(W.Shorter, 3U);
  EXPECT_DOUBLE_EQ(W.BlocksPerSmNs, 1.5 * 1950 * Ms);
  EXPECT_DOUBLE_EQ(W.OccupancyNs, 0.25 * 1950 * Ms);
  EXPECT_EQ(G.Work[2].Node, None);
  EXPECT_EQ(G.Work[2].Count, 3U);
  EXPECT_EQ(G.Work[2].NoTime, 2U);
  EXPECT_EQ(G.Work[3].Direction, LOOPSCOPE_GPU_HOST_TO_DEVICE);
  ASSERT_EQ(G.Nodes.size(), 2U);
  EXPECT_EQ(G.Nodes[0].IdleNs, 500 * Ms);
  ASSERT_EQ(G.Waits.size(), 2U);
  EXPECT_EQ(G.Waits[0].Waiter, nodeNamed(R, "opt_step"));
  EXPECT_EQ(G.Waits[0].Worker, nodeNamed(R, "backward"));
  EXPECT_EQ(G.Waits[1].Worker, None);
  EXPECT_EQ(R.Nodes[Forward].Calls.Launches, 20U);
  EXPECT_EQ(R.Nodes[Forward].Calls.LaunchNs, 10 * Ms);
  EXPECT_EQ(R.Nodes[Forward].Calls.OtherNs, 1 * Ms);
}

TEST(GpuReader, EventsByStart) {
  loopscope::Run R = parsed(Description);
  ASSERT_EQ(R.Gpu.Events.size(), 3U);
  EXPECT_EQ(R.Gpu.Events[0].Kind, LOOPSCOPE_GPU_COPY);
  EXPECT_EQ(R.Gpu.Events[0].Bytes, 400U);
  const GpuEvent &Kernel = R.Gpu.Events[2];
  EXPECT_EQ(Kernel.StartNs, 1001 * Ms);
  EXPECT_EQ(Kernel.EndNs, 1101 * Ms);
  EXPECT_EQ(Kernel.Grid[0], 132U);
  EXPECT_EQ(Kernel.Grid[2], 1U);
  EXPECT_EQ(Kernel.Occupancy, 0.5);
  EXPECT_EQ(Kernel.Node, nodeNamed(R, "forward"));
  std::string Bytes = describedProfile(Description);
  Result<loopscope::Run> Without =
      readProfile(std::as_bytes(std::span(Bytes)), "test");
  ASSERT_TRUE(Without);
  EXPECT_TRUE(Without->Gpu.Events.empty());
}

// Records with dangling references are counted; the work itself is never lost.
TEST(GpuReader, ReferencesToNothing) {
  loopscope::Run R = parsed("wall 1s\nthread main\n  phase a spans=1ms\n"
                            "gpu on\ndevice 0 X\n"
                            "kernel 77 k device=0 spans=2x1ms\n"
                            "kernel a k device=0 spans=2x1ms function=99\n"
                            "kernel a k device=3 spans=2x1ms\n"
                            "kernel a k device=0 spans=2x1ms kind=9\n"
                            "wait 77 a 1ms\nwait a 77 1ms\n");
  EXPECT_EQ(R.Lost.BadRecords, 6U);
  ASSERT_EQ(R.Gpu.Work.size(), 3U);
  EXPECT_EQ(R.Gpu.Work[0].Node, None);
  EXPECT_EQ(R.Gpu.Work[1].Function, None);
  ASSERT_EQ(R.Gpu.Devices.size(), 2U);
  EXPECT_EQ(R.Gpu.Devices[R.Gpu.Work[2].Device].Id, 3U);
  ASSERT_EQ(R.Gpu.Waits.size(), 1U);
  EXPECT_EQ(R.Gpu.Waits[0].Worker, None);
}

// Figures are stored per device, so the number of devices is limited.
TEST(GpuReader, TooManyDevices) {
  std::string Text = "wall 1s\nthread main\n  phase a spans=1ms\ngpu on\n";
  for (int I = 0; I < 300; ++I)
    Text += "kernel a k spans=1x1ms device=" + std::to_string(I) + "\n";
  loopscope::Run R = parsed(Text);
  EXPECT_EQ(R.Gpu.Devices.size(), 256U);
  EXPECT_EQ(R.Gpu.Work.size(), 256U);
  EXPECT_EQ(R.Lost.BadRecords, 300U);
}

// Work that a thread launched outside all spans belongs to its root.
TEST(GpuReader, RootsCanLaunch) {
  loopscope::Run R = parsed("wall 1s\nthread main\n  phase a spans=1ms\n"
                            "gpu on\ndevice 0 X\nkernel root k spans=1x1ms\n");
  EXPECT_EQ(R.Lost.BadRecords, 0U);
  ASSERT_EQ(R.Gpu.Work.size(), 1U);
  EXPECT_EQ(R.Gpu.Work[0].Node, R.Threads[0].Root);
}

TEST(GpuReader, TornRecordsAreCounted) {
  loopscope::Run R =
      parsed("wall 1s\nthread main\n  phase a spans=1ms\ngpu on\n"
             "device 0 X sequence=3\n"
             "kernel a k device=0 spans=2x1ms sequence=1\n");
  EXPECT_EQ(R.Lost.TornGpu, 2U);
  EXPECT_EQ(R.Gpu.Work.size(), 1U);
}

// Deterministic; a fuzzer runs longer. Each round prints one view, so that
// every view is used often.
TEST(GpuReader, MutationsNeverBreakIt) {
  const std::string Whole = describedProfile(Description);
  ASSERT_EQ(parsed(Description).Gpu.Overlaps.size(), 3U);
  // The GPU chunks are at the end, one page each.
  constexpr size_t Pages = 7;
  const size_t First = Whole.size() - Pages * LOOPSCOPE_PROFILE_PAGE;
  std::mt19937_64 Random(4711);
  const uint64_t Wild[] = {0, 1, 0xffffffff, 0x7ff0000000000000, UINT64_MAX};
  const std::vector<const View *> &Views = allViews();
  for (size_t Round = 0; Round < 400; ++Round) {
    std::string Bytes = Whole;
    for (size_t Change = 1 + Random() % 4; Change-- > 0;) {
      size_t Page = First + Random() % Pages * LOOPSCOPE_PROFILE_PAGE;
      size_t At = Page + Random() % 128 * sizeof(uint64_t);
      uint64_t Value =
          Random() % 2 ? Wild[Random() % std::size(Wild)] : Random();
      std::memcpy(&Bytes[At], &Value, sizeof(Value));
    }
    Result<loopscope::Run> R = parse(Bytes);
    ASSERT_TRUE(R);
    for (const GpuWork &W : R->Gpu.Work) {
      ASSERT_TRUE(W.Node == None || W.Node < R->Nodes.size());
      ASSERT_TRUE(W.Function == None || W.Function < R->Gpu.Functions.size());
      ASSERT_LT(W.Device, R->Gpu.Devices.size());
    }
    for (const GpuOverlap &O : R->Gpu.Overlaps) {
      ASSERT_LT(O.Device, R->Gpu.Devices.size());
      for (const GpuOverlap::Member &M : O.Members)
        ASSERT_TRUE(M.Node == None || M.Node < R->Nodes.size());
    }
    ViewOptions Options;
    Options.Stats = true;
    Options.Output =
        Round / Views.size() % 2 == 0 ? Format::Text : Format::Json;
    const View &Which = *Views[Round % Views.size()];
    if (Result<Section> S = sectionOf(*R, Which, Options))
      print({*S}, Options.Output, Options.Bare, Terminal{80});
    mergeProfiles({*R, *R});
  }
}

// Devices of two processes stay separate; functions of the same name are
// merged.
TEST(GpuReader, Merge) {
  loopscope::Run A = parsed(Description);
  loopscope::Run B = parsed("rank 1 of 2\n" + Description);
  loopscope::Run Both = mergeProfiles({A, B});
  EXPECT_EQ(Both.Gpu.State, LOOPSCOPE_GPU_ON);
  EXPECT_EQ(Both.Gpu.Launches, 60U);
  EXPECT_EQ(Both.Gpu.CostNs, 4 * Ms);
  ASSERT_EQ(Both.Gpu.Devices.size(), 2U);
  EXPECT_EQ(Both.Gpu.Devices[1].Process, "rank 1");
  EXPECT_EQ(Both.Gpu.Functions.size(), A.Gpu.Functions.size());
  ASSERT_EQ(Both.Gpu.Work.size(), 10U);
  const GpuWork &Moved = Both.Gpu.Work[5];
  EXPECT_EQ(Both.nameOf(Both.Nodes[Moved.Node]), "forward");
  EXPECT_GT(Moved.Node, A.Nodes.size());
  EXPECT_EQ(Moved.Device, 1U);
  EXPECT_EQ(Both.Gpu.Work[7].Node, None);
  EXPECT_EQ(Both.nameOf(Both.Nodes[Both.Gpu.Waits[2].Waiter]), "opt_step");
}
