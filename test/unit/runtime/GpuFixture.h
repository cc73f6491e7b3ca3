// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture for GPU work: hand-written records and calls, and the resulting
// sums.

#ifndef LOOPSCOPE_TEST_UNIT_RUNTIME_GPUFIXTURE_H
#define LOOPSCOPE_TEST_UNIT_RUNTIME_GPUFIXTURE_H

#include "Fixture.h"

#include "base/thread_links.h"
#include "gpu/collector.h"
#include "process/process.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"

#include <memory>
#include <vector>

namespace loopscope::runtime {

inline constexpr uint32_t A = 1; // nodes
inline constexpr uint32_t B = 2;
inline constexpr uint64_t Late = 100000000; // after everything here

/// A profile, and the objects that turn records and calls into GPU sums.
class GpuTest : public RuntimeTest {
protected:
  GpuTest() {
    EXPECT_TRUE(ensureProfile());
    EXPECT_TRUE(Calls.create());
    EXPECT_TRUE(Graphs.create());
    EXPECT_TRUE(Names.create());
    Store = std::make_unique<GpuStore>();
    Adding = std::make_unique<Collector>(*Store, Calls, Graphs, Names, nullptr);
  }

  // A call with this correlation id, made in NODE from START to END.
  void call(uint32_t Correlation, uint32_t Node, uint64_t Start = 1100,
            uint64_t End = 1101) {
    Calls.begin(Correlation, Node, Start);
    if (End != 0)
      Calls.end(Correlation, End);
  }

  static DeviceWork kernel(uint32_t Correlation, uint64_t Start, uint64_t End,
                           const char *Name = "k") {
    DeviceWork W;
    W.Correlation = Correlation;
    W.Start = Start;
    W.End = End;
    W.Name = Name;
    W.Grid[0] = 10;
    W.Grid[1] = W.Grid[2] = W.Block[1] = W.Block[2] = 1;
    W.Block[0] = 64;
    return W;
  }
  static DeviceWork copy(uint32_t Correlation, uint64_t Start, uint64_t End) {
    DeviceWork W;
    W.Kind = LOOPSCOPE_GPU_COPY;
    W.Direction = LOOPSCOPE_GPU_HOST_TO_DEVICE;
    W.Correlation = Correlation;
    W.Start = Start;
    W.End = End;
    W.Bytes = 64;
    return W;
  }
  void add(const DeviceWork &W) { Adding->addWork(W, Late); }

  template <typename T> static std::vector<T *> all(loopscope_chunk_type Type) {
    std::vector<T *> Result;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
      auto *Entries = reinterpret_cast<T *>(entries(C));
      for (uint32_t I = 0; C->type == Type && I < C->used; ++I)
        Result.push_back(&Entries[I]);
    }
    return Result;
  }
  // The only entry for which FITS is true; its sequence must be even.
  template <typename T, typename Function>
  static T one(loopscope_chunk_type Type, Function Fits) {
    T Result = {};
    int Found = 0;
    for (T *Each : all<T>(Type))
      if (Fits(*Each)) {
        Result = *Each;
        ++Found;
        EXPECT_EQ(Each->sequence % 2, 0U);
      }
    EXPECT_EQ(Found, 1);
    return Result;
  }
  static loopscope_gpu_work workOf(uint32_t Node, uint32_t Device = 0) {
    return one<loopscope_gpu_work>(
        LOOPSCOPE_CHUNK_GPU_WORK, [=](const loopscope_gpu_work &W) {
          return W.node == Node && W.device == Device;
        });
  }
  static loopscope_gpu_node sumsOf(uint32_t Node, uint32_t Device = 0) {
    return one<loopscope_gpu_node>(
        LOOPSCOPE_CHUNK_GPU_NODES, [=](const loopscope_gpu_node &N) {
          return N.node == Node && N.device == Device;
        });
  }
  static loopscope_gpu_device device(uint32_t Id = 0) {
    return one<loopscope_gpu_device>(
        LOOPSCOPE_CHUNK_GPU_DEVICES,
        [=](const loopscope_gpu_device &D) { return D.id == Id; });
  }
  static uint64_t waited(uint32_t Waiter, uint32_t Worker) {
    uint64_t Ticks = 0;
    for (auto *W : all<loopscope_gpu_wait>(LOOPSCOPE_CHUNK_GPU_WAITS))
      if (W->waiter == Waiter && W->worker == Worker)
        Ticks += W->ticks;
    return Ticks;
  }
  void settle(uint64_t Until = UINT64_MAX) { Adding->settle(Until, Until); }
  // How long exactly these nodes had work at the same time; KERNELS has a bit
  // for each node with a kernel.
  static uint64_t together(std::vector<uint32_t> Nodes, uint32_t Kernels,
                           uint32_t More = 0) {
    uint64_t Ticks = 0;
    for (auto *O : all<loopscope_gpu_overlap>(LOOPSCOPE_CHUNK_GPU_OVERLAPS))
      if (std::vector<uint32_t>(O->nodes, O->nodes + O->count) == Nodes &&
          O->kernels == Kernels && O->more == More)
        Ticks += O->ticks;
    return Ticks;
  }

  Launches Calls;
  GraphNodes Graphs;
  KernelNames Names;
  std::unique_ptr<GpuStore> Store;
  std::unique_ptr<Collector> Adding;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TEST_UNIT_RUNTIME_GPUFIXTURE_H
