// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random allocations, frees and ends of contexts, whose records come in any
// order, against a slow reference: who holds how much at a device's peak.

#include "GpuFixture.h"

#include "gpu/memory.h"

#include <algorithm>
#include <map>
#include <random>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t DeviceCount = 40, NodeCount = 5, Operations = 20000;

struct Given {
  MemoryOperation Of;
  uint32_t Node;
  bool EndsContext;
};

struct Allocation {
  uint32_t Node, Context;
  uint64_t Bytes;
};

// What a device holds, operation by operation.
struct Reference {
  std::map<uint64_t, Allocation> Live; // by address
  uint64_t Now = 0, Peak = 0;
  std::map<uint32_t, uint64_t> ByNode, AtPeak;

  void apply(const Given &G) {
    if (G.EndsContext) {
      std::erase_if(Live, [&](const auto &Each) {
        bool Ends = Each.second.Context == G.Of.Context;
        if (Ends)
          drop(Each.second);
        return Ends;
      });
    } else if (G.Of.Frees) {
      auto Found = Live.find(G.Of.Address);
      if (Found == Live.end())
        return;
      drop(Found->second);
      Live.erase(Found);
    } else {
      Live[G.Of.Address] = {G.Node, G.Of.Context, G.Of.Bytes};
      ByNode[G.Node] += G.Of.Bytes;
      Now += G.Of.Bytes;
      if (Now > Peak) {
        Peak = Now;
        AtPeak = ByNode;
      }
    }
  }
  void drop(const Allocation &Gone) {
    ByNode[Gone.Node] -= Gone.Bytes;
    Now -= Gone.Bytes;
  }
};

// Programs, one on each device, in the order of time.
std::vector<Given> randomOperations(std::mt19937 &Random) {
  auto Below = [&](uint32_t Limit) {
    return std::uniform_int_distribution<uint32_t>(0, Limit - 1)(Random);
  };
  std::vector<Given> All;
  std::vector<std::vector<uint64_t>> Made(DeviceCount);
  for (uint32_t I = 0; I < Operations; ++I) {
    Given G{};
    G.Of.Kind = LOOPSCOPE_GPU_DEVICE_MEMORY;
    G.Of.Device = Below(DeviceCount);
    G.Of.Context = G.Of.Device * 2 + Below(2);
    G.Of.Start = 1000 + I;
    G.Node = 1 + Below(NodeCount);
    std::vector<uint64_t> &Known = Made[G.Of.Device];
    uint32_t Kind = Below(200);
    if (Kind == 0) {
      G.EndsContext = true;
    } else if (Kind < 90 && !Known.empty()) {
      G.Of.Frees = true; // perhaps once more, or after its context
      G.Of.Address = Known[Below(static_cast<uint32_t>(Known.size()))];
    } else {
      G.Of.Address = uint64_t(I + 1) << 8;
      G.Of.Bytes = 1 + Below(1000);
      Known.push_back(G.Of.Address);
    }
    All.push_back(G);
  }
  return All;
}
} // namespace

TEST_F(GpuTest, HeldAtPeakIsAsInASlowReference) {
  std::mt19937 Random(20261128);
  std::vector<Given> All = randomOperations(Random);
  std::vector<Reference> Devices(DeviceCount);
  for (const Given &Each : All)
    Devices[Each.Of.Device].apply(Each);
  std::ranges::shuffle(All, Random);
  MemoryUse Memory(*Store, nullptr);
  for (const Given &Each : All) {
    if (Each.EndsContext)
      Memory.endContext(Each.Of.Context, Each.Of.Start);
    else
      Memory.add(Each.Of, Each.Node);
  }
  Memory.settle(UINT64_MAX);
  std::map<uint32_t, uint64_t> Together;
  for (auto *M : all<loopscope_gpu_memory>(LOOPSCOPE_CHUNK_GPU_MEMORY)) {
    const Reference &Truth = Devices[M->device];
    auto In = [&](const std::map<uint32_t, uint64_t> &From) {
      auto Found = From.find(M->node);
      return Found == From.end() ? 0 : Found->second;
    };
    uint64_t AtPeak = M->peak_number == device(M->device).memory_peak_number
                          ? M->held_at_peak
                          : M->held_bytes;
    EXPECT_EQ(AtPeak, In(Truth.AtPeak)) << M->device << " " << M->node;
    EXPECT_EQ(M->held_bytes, In(Truth.ByNode)) << M->device << " " << M->node;
    Together[M->device] += AtPeak;
  }
  EXPECT_EQ(Together.size(), DeviceCount);
  for (const auto &[Id, Bytes] : Together) {
    EXPECT_EQ(Bytes, device(Id).memory_peak);
    EXPECT_EQ(Bytes, Devices[Id].Peak);
  }
}
