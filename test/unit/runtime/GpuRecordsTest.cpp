// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's records, its clock, its buffers, and the classes of calls.

#include "Run/Model/KnownNames.h"
#include "gpu/buffers.h"
#include "gpu/calls.h"
#include "gpu/cupti.h"
#include "gpu/event_queue.h"
#include "gpu/records.h"
#include "whatif/captures.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

using namespace loopscope::runtime;

namespace {
TEST(GpuCalls, AreClassifiedByName) {
  const std::pair<const char *, CallClass> Expected[] = {
      {"cudaLaunchKernel_v7000", CallClass::Launch},
      {"cudaLaunchKernel_ptsz_v7000", CallClass::Launch},
      {"cudaLaunchKernelExC_v11060", CallClass::Launch},
      {"__cudaLaunchKernel_v13000", CallClass::Launch},
      {"cudaLaunchCooperativeKernel_v9000", CallClass::Launch},
      {"cuLaunchKernelEx", CallClass::Launch},
      {"cudaGraphLaunch_ptsz_v10000", CallClass::Launch},
      {"cuGraphLaunch", CallClass::Launch},
      {"cudaMemcpyAsync_v3020", CallClass::Launch},
      {"cuMemcpyHtoDAsync_v2", CallClass::Launch},
      {"cudaMemset_v3020", CallClass::Launch},
      {"cuMemsetD32Async", CallClass::Launch},
      {"cudaMemPrefetchAsync_v8000", CallClass::Launch},
      {"cudaMemcpy_v3020", CallClass::Wait},
      {"cudaMemcpyToSymbol_v3020", CallClass::Wait},
      {"cuMemcpyDtoH_v2", CallClass::Wait},
      {"cudaDeviceSynchronize_v3020", CallClass::Wait},
      {"cudaStreamSynchronize_ptsz_v7000", CallClass::Wait},
      {"cuEventSynchronize", CallClass::Wait},
      {"cudaMalloc_v3020", CallClass::Other},
      {"cudaMallocAsync_v11020", CallClass::Other},
      {"cudaGraphAddMemcpyNode_v10000", CallClass::Other},
      {"cudaGraphExecKernelNodeSetParams_v10000", CallClass::Other},
      {"cudaLaunchHostFunc_v10000", CallClass::Other},
      {"cuMemSetAccess", CallClass::Other},
      {"cudaStreamWaitEvent_v3020", CallClass::Other},
      {"cudaGetDevice_v3020", CallClass::Ignored},
      {"cuCtxPushCurrent_v2", CallClass::Ignored},
      {"cudaStreamGetCaptureInfo_v2_ptsz_v11030", CallClass::Ignored},
  };
  for (const auto &[Name, Class] : Expected) {
    EXPECT_EQ(classifyCall(Name), Class) << Name;
    // Reports classify the calls of PyTorch's traces in the same way.
    loopscope::EventUse Use =
        Class == CallClass::Launch ? loopscope::EventUse::Launch
        : Class == CallClass::Wait ? loopscope::EventUse::Block
                                   : loopscope::EventUse::None;
    EXPECT_EQ(loopscope::callUse(Name), Use) << Name;
  }
}

// Only PyTorch's traces have those of Intel's GPUs.
TEST(GpuCalls, IntelsCallsAreClassifiedByName) {
  using loopscope::EventUse;
  const std::vector<std::pair<const char *, EventUse>> Expected = {
      {"urEnqueueKernelLaunch", EventUse::Launch},
      {"piEnqueueKernelLaunch", EventUse::Launch},
      {"urEnqueueUSMMemcpy", EventUse::Launch},
      {"urEnqueueUSMFill", EventUse::Launch},
      {"urEnqueueEventsWaitWithBarrier", EventUse::None},
      {"zeCommandListAppendLaunchKernel", EventUse::None},
      {"urEventWait", EventUse::Block},
      {"piEventsWait", EventUse::Block},
      {"urQueueFinish", EventUse::Block},
      {"zeEventHostSynchronize", EventUse::Block},
      {"urQueueCreate", EventUse::None},
  };
  for (const auto &[Name, Use] : Expected)
    EXPECT_EQ(loopscope::callUse(Name), Use) << Name;
}

// A stream captures from one call to another, whoever ends it. Meanwhile the
// program isn't lengthened.
TEST(GpuCalls, CapturesAreCounted) {
  EXPECT_EQ(borderOfCall("cudaStreamBeginCapture_v10000"),
            BorderOfCall::CaptureBegins);
  EXPECT_EQ(borderOfCall("cuStreamBeginCapture_v2_ptsz"),
            BorderOfCall::CaptureBegins);
  EXPECT_EQ(borderOfCall("cudaStreamBeginCaptureToGraph_v12030"),
            BorderOfCall::CaptureBegins);
  EXPECT_EQ(borderOfCall("cudaStreamEndCapture_v10000"),
            BorderOfCall::CaptureEnds);
  EXPECT_EQ(borderOfCall("cudaStreamIsCapturing_v10000"), BorderOfCall::None);
  EXPECT_EQ(borderOfCall("cudaLaunchKernel_v7000"), BorderOfCall::None);
  EXPECT_EQ(borderOfCall("cudaProfilerStart_v4000"), BorderOfCall::WindowOpens);
  EXPECT_EQ(borderOfCall("cuProfilerStop"), BorderOfCall::WindowCloses);
  endCapture(); // one that began before collection
  EXPECT_FALSE(isCapturing());
  beginCapture();
  beginCapture();
  endCapture();
  EXPECT_TRUE(isCapturing());
  endCapture();
  EXPECT_FALSE(isCapturing());
}

TEST(GpuCalls, NamesLoseTheirVersion) {
  for (const char *Name : {"cudaLaunchKernel_v7000", "cudaLaunchKernel",
                           "cudaLaunchKernel_ptsz_v7000"})
    EXPECT_EQ(std::string(Name, plainNameLength(Name)), "cudaLaunchKernel");
  EXPECT_EQ(plainNameLength("_v2"), 3U);
  EXPECT_EQ(plainNameLength(""), 0U);
}

TEST(GpuVersions, MapToMajorVersionsOfCuda) {
  EXPECT_EQ(cudaMajorOf(17), 11);
  EXPECT_EQ(cudaMajorOf(18), 12);
  EXPECT_EQ(cudaMajorOf(28), 12);
  EXPECT_EQ(cudaMajorOf(130000), 13);
  EXPECT_EQ(cudaMajorOf(140001), 14);
}

TEST(DeviceClock, TicksSurviveTheRoundTrip) {
  for (uint64_t Hz : {uint64_t(1000000000), uint64_t(2596992000),
                      uint64_t(3700000001), uint64_t(25000000)}) {
    DeviceClock Clock({123456789, 987654321}, Hz);
    for (uint64_t Ticks : {uint64_t(123456789), uint64_t(123456790),
                           uint64_t(1) << 40, uint64_t(1) << 52}) {
      uint64_t Back = Clock.toTicks(Clock.toNs(Ticks));
      // A nanosecond is at most a few ticks.
      EXPECT_LE(Back > Ticks ? Back - Ticks : Ticks - Back, Hz / 1000000000 + 1)
          << Hz << ' ' << Ticks;
    }
    EXPECT_EQ(Clock.toTicks(0), 0U);
    EXPECT_EQ(Clock.toTicks(5), 1U); // before the program
  }
}

TEST(GpuRecords, AreReadByKind) {
  DeviceClock Clock({100, 100}, 1000000000);
  DeviceWork W;
  cupti::KernelRecord Kernel{};
  Kernel.Kind = cupti::ConcurrentKernelKind;
  Kernel.Start = 1000;
  Kernel.End = 1500;
  Kernel.Correlation = 42;
  Kernel.Graph = 3;
  Kernel.GraphNode = 77;
  Kernel.Registers = 40;
  Kernel.Block[0] = 128;
  ASSERT_TRUE(readWork(reinterpret_cast<cupti::Record &>(Kernel), Clock, W));
  EXPECT_EQ(W.Kind, LOOPSCOPE_GPU_KERNEL);
  EXPECT_EQ(W.Start, 1000U);
  EXPECT_EQ(W.End, 1500U);
  EXPECT_EQ(W.Correlation, 42U);
  EXPECT_EQ(W.Graph, 3U);
  EXPECT_EQ(W.GraphNode, 77U);
  EXPECT_EQ(W.Registers, 40U);
  EXPECT_EQ(W.Block[0], 128U);
  EXPECT_EQ(W.Name, nullptr);

  cupti::PeerCopyRecord Peer{};
  Peer.Kind = cupti::PeerCopyKind;
  Peer.CopyKind = 10;
  Peer.Bytes = 64;
  Peer.Correlation = 43;
  ASSERT_TRUE(readWork(reinterpret_cast<cupti::Record &>(Peer), Clock, W));
  EXPECT_EQ(W.Kind, LOOPSCOPE_GPU_COPY);
  EXPECT_EQ(W.Direction, LOOPSCOPE_GPU_PEER_TO_PEER);
  EXPECT_EQ(W.Bytes, 64U);
  EXPECT_EQ(W.Correlation, 43U);
  EXPECT_EQ(W.Start, 0U);

  cupti::Record Unknown = {9};
  EXPECT_FALSE(readWork(Unknown, Clock, W));
}

TEST(BufferPool, HandsOutEachBufferOnce) {
  auto Pool = std::make_unique<BufferPool>();
  ASSERT_TRUE(Pool->create());
  std::vector<uint8_t *> Taken;
  size_t Bytes = 0;
  for (unsigned I = 0; I < BufferPool::Count; ++I) {
    EXPECT_EQ(Pool->isShort(), I >= BufferPool::Count / 2);
    Taken.push_back(Pool->take(Bytes));
    ASSERT_NE(Taken.back(), nullptr);
    EXPECT_EQ(Bytes, I < BufferPool::LargeCount ? BufferPool::LargeBytes
                                                : BufferPool::SmallBytes);
    Taken.back()[0] = Taken.back()[Bytes - 1] = static_cast<uint8_t>(I % 251);
  }
  EXPECT_EQ(Pool->take(Bytes), nullptr);
  for (unsigned I = 0; I < BufferPool::Count; ++I)
    EXPECT_EQ(Taken[I][0], I % 251); // no other buffer overlaps it
  for (uint8_t *Buffer : Taken)
    EXPECT_TRUE(Pool->complete(Buffer, 5));
  uint8_t *Buffer = nullptr;
  size_t Valid = 0;
  for (uint8_t *Expected : Taken) {
    ASSERT_TRUE(Pool->nextCompleted(Buffer, Valid));
    EXPECT_EQ(Buffer, Expected);
    EXPECT_EQ(Valid, 5U);
    Pool->free(Buffer);
  }
  EXPECT_FALSE(Pool->nextCompleted(Buffer, Valid));
  EXPECT_NE(Pool->take(Bytes), nullptr);
}

TEST(BufferPool, RecognisesItsOwnBuffers) {
  auto Pool = std::make_unique<BufferPool>();
  ASSERT_TRUE(Pool->create());
  size_t Bytes = 0;
  uint8_t *Ours = Pool->take(Bytes);
  std::vector<uint8_t> Foreign(64);
  uint8_t *Buffer = nullptr;
  size_t Valid = 0;
  EXPECT_FALSE(Pool->complete(Foreign.data(), 64));
  EXPECT_FALSE(Pool->complete(Ours - 1, 64)); // it is the first
  EXPECT_FALSE(Pool->nextCompleted(Buffer, Valid));
  EXPECT_TRUE(Pool->complete(Ours, 64));
  EXPECT_TRUE(Pool->nextCompleted(Buffer, Valid));
}

TEST(BufferPool, ServesConcurrentThreads) {
  auto Pool = std::make_unique<BufferPool>();
  ASSERT_TRUE(Pool->create());
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&Pool] {
      size_t Bytes = 0;
      for (int I = 0; I < 5000; ++I)
        if (uint8_t *Buffer = Pool->take(Bytes)) {
          ++*Buffer; // a data race if another thread has it
          Pool->free(Buffer);
        }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_FALSE(Pool->isShort());
}

TEST(WaitQueue, KeepsTheOrderOfEachThread) {
  auto Queue = std::make_unique<WaitQueue>();
  constexpr uint64_t Count = 100000;
  std::vector<std::thread> Threads;
  for (uint32_t T = 0; T < 2; ++T)
    Threads.emplace_back([&Queue, T] {
      for (uint64_t I = 1; I <= Count; ++I)
        Queue->push({T, T, I, 0});
    });
  uint64_t Last[2] = {};
  uint64_t Popped = 0;
  auto Take = [&] {
    WaitEvent Event{};
    while (Queue->pop(Event)) {
      ASSERT_GT(Event.Start, Last[Event.Tag]);
      Last[Event.Tag] = Event.Start;
      ++Popped;
    }
  };
  for (int I = 0; I < 1000; ++I)
    Take();
  for (std::thread &T : Threads)
    T.join();
  Take();
  EXPECT_GT(Popped, 0U);
  EXPECT_LE(Popped, 2 * Count);
}

TEST(WaitQueue, DropsWhatDoesNotFit) {
  auto Queue = std::make_unique<WaitQueue>();
  for (uint64_t I = 0; I < 100000; ++I)
    Queue->push({0, 0, I, 0});
  WaitEvent Event{};
  uint64_t Next = 0;
  for (; Queue->pop(Event); ++Next)
    EXPECT_EQ(Event.Start, Next); // the oldest are kept
  EXPECT_LT(Next, 100000U);
  Queue->push({0, 0, 7, 0});
  EXPECT_TRUE(Queue->pop(Event));
}
} // namespace
