// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attribution and arithmetic of GPU work, on hand-written records.

#include "GpuFixture.h"

#include "profile/profile_file.h"
#include "tree/events.h"

#include <loopscope/profile_counters.h>

#include <thread>

using namespace loopscope::runtime;

namespace {
TEST_F(GpuTest, WorkBelongsToTheNodeThatLaunchedIt) {
  call(1, A);
  call(2, B);
  add(kernel(2, 2000, 2100));
  add(kernel(1, 3000, 3050));
  add(kernel(1, 4000, 4010)); // a graph's second kernel
  settle();
  EXPECT_EQ(workOf(A).count, 2U);
  EXPECT_EQ(workOf(A).sum_ticks, 60U);
  EXPECT_EQ(workOf(A).square_low, 2600U);
  EXPECT_EQ(workOf(A).min_ticks, 10U);
  EXPECT_EQ(workOf(A).max_ticks, 50U);
  EXPECT_EQ(workOf(B).sum_ticks, 100U);
  EXPECT_EQ(Header->gpu_records, 3U);
  EXPECT_EQ(device().first_start_ticks, 2000U);
  EXPECT_EQ(device().last_end_ticks, 4010U);
}

TEST_F(GpuTest, UnknownLaunchesAreChargedToNoNode) {
  call(7, A);
  add(kernel(0, 2000, 2100));
  add(kernel(8, 2000, 2100));
  settle();
  EXPECT_EQ(workOf(LOOPSCOPE_NONE).count, 2U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_UNRESOLVED), 2U);
}

TEST_F(GpuTest, TheTableForgetsOnlyWhatItOverwrites) {
  for (uint32_t I = 1; I <= Launches::Size + 10; ++I)
    call(I, I % 2 == 0 ? A : B);
  Launch Found = {};
  EXPECT_FALSE(Calls.find(10, Found));
  ASSERT_TRUE(Calls.find(11, Found));
  EXPECT_EQ(Found.Node, B);
  ASSERT_TRUE(Calls.find(Launches::Size + 10, Found));
  EXPECT_EQ(Found.Node, A);
  EXPECT_FALSE(Calls.find(Launches::Size + 11, Found));
}

TEST_F(GpuTest, IdsWrapAround) {
  call(UINT32_MAX, A);
  call(Launches::Size, B); // CUPTI never uses 0; this id has its slot
  Launch Found = {};
  ASSERT_TRUE(Calls.find(UINT32_MAX, Found));
  EXPECT_EQ(Found.Node, A);
  EXPECT_FALSE(Calls.find(0, Found));
}

TEST_F(GpuTest, OrderOfArrivalMakesNoDifference) {
  call(1, A);
  call(2, B);
  const DeviceWork Each[] = {kernel(1, 2000, 2100), kernel(2, 2050, 2200),
                             kernel(1, 2300, 2400), kernel(2, 2500, 2510)};
  for (int I = 3; I >= 0; --I)
    add(Each[I]);
  settle();
  EXPECT_EQ(device().busy_ticks, 310U);
  EXPECT_EQ(sumsOf(A).busy_ticks, 200U);
  EXPECT_EQ(sumsOf(B).busy_ticks, 160U);
  // The device was idle from 2200 and from 2400 on.
  EXPECT_EQ(sumsOf(A).idle_ticks, 100U);
  EXPECT_EQ(sumsOf(B).idle_ticks, 100U);
}

TEST_F(GpuTest, OverlappingStreamsCountOnce) {
  call(1, A);
  add(kernel(1, 2000, 2100));
  add(kernel(1, 2000, 2100));
  add(kernel(1, 2050, 2060));
  add(copy(1, 2090, 2150));
  settle();
  EXPECT_EQ(device().busy_ticks, 150U);
  EXPECT_EQ(device().kernel_ticks, 100U);
  EXPECT_EQ(device().copy_ticks, 60U);
  EXPECT_EQ(sumsOf(A).busy_ticks, 150U);
  EXPECT_EQ(sumsOf(A).kernel_ticks, 100U);
}

TEST_F(GpuTest, DevicesAreSeparate) {
  call(1, A);
  DeviceWork Other = kernel(1, 2000, 2300);
  Other.Device = 5;
  add(kernel(1, 2000, 2100));
  add(Other);
  settle();
  EXPECT_EQ(device(0).busy_ticks, 100U);
  EXPECT_EQ(device(5).busy_ticks, 300U);
  EXPECT_EQ(sumsOf(A, 5).busy_ticks, 300U);
  EXPECT_EQ(workOf(A, 5).sum_ticks, 300U);
  EXPECT_EQ(sumsOf(A, 5).idle_ticks, 0U);
}

TEST_F(GpuTest, LateWorkEntersUnionsWithItsLaterPart) {
  call(1, A);
  add(kernel(1, 5000, 5100));
  settle(6000);
  add(kernel(1, 2000, 2100)); // it ended before, too
  add(kernel(1, 5500, 6300));
  settle();
  EXPECT_EQ(workOf(A).sum_ticks, 1000U);
  EXPECT_EQ(sumsOf(A).busy_ticks, 400U);
  EXPECT_EQ(sumsOf(A).idle_ticks, 0U); // its start is unknown
  EXPECT_EQ(device().busy_ticks, 400U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_LATE), 2U);
}

TEST_F(GpuTest, UnsettledWorkIsNotCountedYet) {
  call(1, A);
  add(kernel(1, 5000, 5100));
  settle(4000);
  EXPECT_EQ(device().busy_ticks, 0U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_UNSETTLED), 1U);
  add(kernel(1, 4000, 5050));
  settle(5001);
  EXPECT_EQ(device().busy_ticks, 1001U); // so far
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_UNSETTLED), 0U);
  settle();
  EXPECT_EQ(device().busy_ticks, 1100U);
}

TEST_F(GpuTest, OverlapsAreRecorded) {
  call(1, A);
  call(2, B);
  add(kernel(1, 2000, 2100));
  add(kernel(1, 2050, 2060)); // the same call path: nothing new
  add(copy(2, 2080, 2150));
  add(kernel(2, 2140, 2145));
  add(kernel(0, 2300, 2310));
  add(kernel(2, 2310, 2310)); // no time
  settle();
  EXPECT_EQ(together({A}, 1), 80U);
  EXPECT_EQ(together({A, B}, 1), 20U);
  EXPECT_EQ(together({B}, 0), 45U);
  EXPECT_EQ(together({B}, 1), 5U);
  EXPECT_EQ(together({LOOPSCOPE_NONE}, 1), 10U);
  EXPECT_EQ(all<loopscope_gpu_overlap>(LOOPSCOPE_CHUNK_GPU_OVERLAPS).size(),
            5U);
  EXPECT_EQ(device().busy_ticks, 160U);
  EXPECT_EQ(device().kernel_ticks, 115U);
  EXPECT_EQ(device().copy_ticks, 70U);
}

TEST_F(GpuTest, MoreCallPathsAtOnceThanAnEntryHolds) {
  constexpr uint32_t Most = LOOPSCOPE_GPU_OVERLAP_NODES;
  std::vector<uint32_t> Nodes;
  for (uint32_t I = Most + 1; I != 0; --I) {
    call(I, 100 + I);
    add(kernel(I, 2000 + I, 3000));
    Nodes.insert(Nodes.begin(), 100 + I);
  }
  settle();
  Nodes.pop_back();
  EXPECT_EQ(together(Nodes, (1U << Most) - 1), 1U);
  EXPECT_EQ(together(Nodes, (1U << Most) - 1, 1), 999U - Most);
  EXPECT_EQ(device().busy_ticks, 999U);
}

TEST_F(GpuTest, MoreCombinationsThanTheProfileHolds) {
  // Each pair of nodes is a combination.
  constexpr uint32_t Most = GpuStore::MostOverlaps;
  uint64_t At = 2000;
  uint32_t Pairs = 0;
  for (uint32_t I = 1; I < 300; ++I)
    for (uint32_t J = I + 1; J < 300; ++J, At += 10, ++Pairs) {
      call(1, I);
      add(kernel(1, At, At + 3));
      call(1, J);
      add(kernel(1, At + 1, At + 2));
    }
  ASSERT_GT(Pairs, Most);
  settle();
  uint64_t Known = 0;
  uint64_t Busy = 0;
  for (auto *O : all<loopscope_gpu_overlap>(LOOPSCOPE_CHUNK_GPU_OVERLAPS)) {
    Busy += O->ticks;
    Known += O->count == 2 ? O->ticks : 0;
    EXPECT_TRUE(O->count == 2 || O->more == 0 || O->count == 1);
  }
  EXPECT_EQ(Busy, uint64_t(3) * Pairs);
  EXPECT_EQ(device().busy_ticks, uint64_t(3) * Pairs);
  EXPECT_GT(Known, Most - 1000U);
  EXPECT_LE(Known, Most);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_LOST), 0U);
}

TEST_F(GpuTest, TooManyIntervalsAreCountedEarly) {
  call(1, A);
  for (uint64_t I = 0; I < Timeline::MostWaiting + 100; ++I)
    add(kernel(1, 2000 + 2 * I, 2001 + 2 * I));
  EXPECT_EQ(sumsOf(A).busy_ticks, 100U);
  settle();
  EXPECT_EQ(device().busy_ticks, Timeline::MostWaiting + 100);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_LATE), 0U);
}

TEST_F(GpuTest, WorkWithoutTimesIsOnlyCounted) {
  call(1, A);
  add(kernel(1, 0, 0));
  add(kernel(1, 2000, 0));
  add(kernel(1, 2000, 2100));
  settle();
  EXPECT_EQ(workOf(A).count, 3U);
  EXPECT_EQ(workOf(A).no_time, 2U);
  EXPECT_EQ(workOf(A).sum_ticks, 100U);
  EXPECT_EQ(workOf(A).min_ticks, 100U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_NO_TIME), 2U);
}

TEST_F(GpuTest, WorkOutsideTheRunIsLeftOut) {
  call(1, A);
  add(kernel(1, 10, 2000));             // before the profile
  add(kernel(1, 3000, 2000));           // backwards
  add(kernel(1, Late - 1, Late + 100)); // in the future
  settle();
  EXPECT_TRUE(all<loopscope_gpu_work>(LOOPSCOPE_CHUNK_GPU_WORK).empty());
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_OUTSIDE), 3U);
  EXPECT_EQ(Header->gpu_records, 3U);
}

TEST_F(GpuTest, LaunchesAreComparedWithTheirWork) {
  call(1, A, 1100, 1150);
  add(kernel(1, 1170, 1200)); // shorter than its launch, queued for 20
  add(kernel(1, 1140, 1400)); // began before the call returned
  DeviceWork Graph = kernel(1, 1500, 1501);
  Graph.Graph = 3;
  add(Graph);
  call(2, B, 1100, 0); // hasn't returned, or waits
  add(kernel(2, 1500, 1501));
  settle();
  EXPECT_EQ(workOf(A).shorter, 1U);
  EXPECT_EQ(workOf(A).graph_count, 1U);
  EXPECT_EQ(workOf(A).queue_ticks, 20U + 350U);
  EXPECT_EQ(workOf(B).shorter, 0U);
  EXPECT_EQ(workOf(B).queue_ticks, 0U);
}

TEST_F(GpuTest, NamesAndDirectionsAreSeparate) {
  call(1, A);
  std::string Name = "k"; // the same text at another address
  add(kernel(1, 2000, 2100, "k"));
  add(kernel(1, 2000, 2100, Name.c_str()));
  add(kernel(1, 2000, 2100, "kk"));
  add(copy(1, 2000, 2100));
  DeviceWork Back = copy(1, 2000, 2100);
  Back.Direction = LOOPSCOPE_GPU_DEVICE_TO_HOST;
  add(Back);
  settle();
  EXPECT_EQ(all<loopscope_gpu_work>(LOOPSCOPE_CHUNK_GPU_WORK).size(), 4U);
  EXPECT_EQ(all<loopscope_gpu_function>(LOOPSCOPE_CHUNK_GPU_FUNCTIONS).size(),
            2U);
}

TEST_F(GpuTest, ManyKernelsFillManyChunks) {
  call(1, A);
  for (int I = 0; I < 3000; ++I) {
    std::string Name = "kernel " + std::to_string(I % 1500);
    add(kernel(1, 2000 + I, 2001 + I, Name.c_str()));
  }
  settle();
  auto Works = all<loopscope_gpu_work>(LOOPSCOPE_CHUNK_GPU_WORK);
  ASSERT_EQ(Works.size(), 1500U);
  for (auto *W : Works)
    EXPECT_EQ(W->count, 2U);
}

TEST_F(GpuTest, AWaitIsChargedToTheWorkThatRan) {
  call(1, A);
  call(2, B);
  Adding->waits().begin(9, B, 2000);
  add(kernel(1, 1900, 2100));
  add(kernel(2, 2150, 2200));
  Adding->waits().end(9, B, 2000, 2250);
  settle();
  EXPECT_EQ(waited(B, A), 100U);
  EXPECT_EQ(waited(B, B), 50U);
  EXPECT_EQ(waited(B, LOOPSCOPE_NONE), 100U);
}

TEST_F(GpuTest, OverlappingWorkSharesAWaitWithoutCountingTwice) {
  call(1, A);
  call(2, B);
  add(kernel(1, 2000, 2200));
  add(kernel(2, 2100, 2300));
  Adding->waits().end(9, A, 1950, 2400);
  settle();
  // The time that they share counts for the one that began first.
  EXPECT_EQ(waited(A, A), 200U);
  EXPECT_EQ(waited(A, B), 100U);
  EXPECT_EQ(waited(A, LOOPSCOPE_NONE), 150U);
}

TEST_F(GpuTest, LongWaitsCountBeforeTheyEnd) {
  call(1, A);
  Adding->waits().begin(9, B, 2000);
  for (uint64_t I = 0; I < 100; ++I) {
    add(kernel(1, 2000 + 100 * I, 2050 + 100 * I));
    settle(2060 + 100 * I);
  }
  Adding->waits().end(9, B, 2000, 12000);
  settle();
  EXPECT_EQ(waited(B, A), 5000U);
  EXPECT_EQ(waited(B, LOOPSCOPE_NONE), 5000U);
}

TEST_F(GpuTest, TwoThreadsWaitAtOnce) {
  call(1, A);
  Adding->waits().begin(9, A, 2000);
  Adding->waits().begin(10, B, 2050);
  add(kernel(1, 2000, 2100));
  Adding->waits().end(9, A, 2000, 2100);
  Adding->waits().end(10, B, 2050, 2100);
  settle();
  EXPECT_EQ(waited(A, A), 100U);
  EXPECT_EQ(waited(B, A), 50U);
}

TEST_F(GpuTest, AWaitWhoseEndWasLostEndsWithTheNext) {
  call(1, A);
  Adding->waits().begin(9, A, 2000);
  Adding->waits().begin(9, B, 3000);
  add(kernel(1, 3000, 3100));
  Adding->waits().end(9, B, 3000, 3100);
  settle();
  EXPECT_EQ(waited(A, A), 0U);
  EXPECT_EQ(waited(B, A), 100U);
}

TEST_F(GpuTest, TwoThreadsLaunchWhileRecordsArrive) {
  constexpr uint32_t Count = 20000;
  std::vector<std::thread> Threads;
  for (uint32_t T = 0; T < 2; ++T)
    Threads.emplace_back([this, T] {
      for (uint32_t I = 0; I < Count; ++I)
        call(1 + 2 * I + T, T == 0 ? A : B);
    });
  uint32_t Resolved = 0;
  for (uint32_t I = 1; I <= 2 * Count; ++I) {
    Launch Found = {};
    while (!Calls.find(I, Found))
      std::this_thread::yield();
    EXPECT_EQ(Found.Node, I % 2 == 1 ? A : B);
    ++Resolved;
  }
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Resolved, 2 * Count);
}

TEST_F(GpuTest, TheRingKeepsTheNewest) {
  auto Ring = std::make_unique<EventRing>();
  Ring->create(2U << 20, 0);
  constexpr uint64_t Slots = uint64_t(2) * 8191;
  loopscope_gpu_event Event = {};
  for (uint64_t I = 0; I < Slots + 5; ++I) {
    Event.start_ticks = I;
    Ring->add(Event);
  }
  auto Events = all<loopscope_gpu_event>(LOOPSCOPE_CHUNK_GPU_EVENTS);
  ASSERT_EQ(Events.size(), Slots);
  EXPECT_EQ(Events[0]->start_ticks, Slots);
  EXPECT_EQ(Events[0]->sequence, Slots + 1);
  EXPECT_EQ(Events[5]->start_ticks, 5U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_EVENTS_DROPPED), 5U);
}

TEST_F(GpuTest, GraphNodesRememberWhereTheyWereMade) {
  Graphs.note(uint64_t(7) << 32 | 1, {B, 0});
  call(1, A);
  DeviceWork W = kernel(1, 1200, 1300);
  W.Graph = 7;
  W.GraphNode = uint64_t(7) << 32 | 1;
  add(W);
  W.GraphNode = uint64_t(7) << 32 | 2; // unknown
  add(W);
  std::vector<loopscope_gpu_work *> Work =
      all<loopscope_gpu_work>(LOOPSCOPE_CHUNK_GPU_WORK);
  ASSERT_EQ(Work.size(), 2U);
  EXPECT_EQ(Work[0]->node, A);
  EXPECT_EQ(Work[0]->made_in, B + 1);
  EXPECT_EQ(Work[1]->made_in, 0U);
}

TEST(GraphNodesTest, OldestEntriesAreOverwritten) {
  GraphNodes G;
  ASSERT_TRUE(G.create());
  constexpr uint64_t Many = 1000000;
  for (uint64_t Id = 1; Id <= Many; ++Id)
    G.note(Id, {static_cast<uint32_t>(Id * 2), KernelName(Id % 1000)});
  EXPECT_EQ(G.find(Many).Node, Many * 2);
  uint64_t Known = 0;
  for (uint64_t Id = 1; Id <= Many; ++Id)
    if (GraphNodes::Made How = G.find(Id); How.Node != LOOPSCOPE_NONE) {
      EXPECT_EQ(How.Node, Id * 2);
      EXPECT_EQ(How.Name, Id % 1000);
      ++Known;
    }
  EXPECT_GT(Known, Many / 10);
  EXPECT_EQ(G.find(1).Node, LOOPSCOPE_NONE);
  EXPECT_EQ(G.find(Many + 1).Node, LOOPSCOPE_NONE);
  G.note(Many, {5, 0});
  EXPECT_EQ(G.find(Many).Node, 5U);
}
} // namespace
