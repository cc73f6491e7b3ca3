// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device whose work and whose hardware's readings tests make. A tick is a
// microsecond.

#ifndef LOOPSCOPE_TEST_GPUUSEFIXTURE_H
#define LOOPSCOPE_TEST_GPUUSEFIXTURE_H

#include "GpuFixture.h"

#include "tree/schedule.h"

#include <map>
#include <random>
#include <string>
#include <tuple>

namespace gpu_use {
using namespace loopscope::runtime;

constexpr uint64_t Ms = 1000;
constexpr uint64_t Age = DeviceUseAgeMs * Ms;
constexpr uint32_t None = LOOPSCOPE_NONE;

struct Piece {
  uint64_t Start, End;
  uint32_t Node;
  bool IsKernel;
};
using Key = std::tuple<uint32_t, uint32_t, uint32_t>; // node, owner, use
struct Sum {
  uint64_t Windows = 0;
  uint64_t Ticks = 0;
  double Integral = 0;
  double mean() const { return Integral / static_cast<double>(Ticks); }
};

class GpuUseTest : public GpuTest {
protected:
  GpuUseTest() {
    StepSchedule.WarmupSteps = 0;
    loopscope_token L =
        loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
    loopscope_token S = loopscope_step_begin(L);
    for (const char *Name : {"forward", "backward", "update"}) {
      loopscope_token P = loopscope_enter(site(Name));
      for (const char *Inner : {"first", "second"})
        loopscope_leave(loopscope_enter(site(Inner)));
      loopscope_leave(P);
    }
    loopscope_step_end(S);
    loopscope_leave(L);
    loopscope_leave(loopscope_enter(site("outside")));
    // The device is known from its first work on.
    run({1100, 1101, None, true});
    for (auto &[Path, N] : nodes())
      Index[Path] = N->index;
    Index["root"] = parentOf(Index["outside"]);
  }

  uint32_t at(const std::string &Path) {
    auto Found = Index.find(Path);
    EXPECT_NE(Found, Index.end()) << Path;
    return Found == Index.end() ? 0 : Found->second;
  }
  uint32_t step() { return at("train/step"); }
  uint32_t phase(const std::string &Name) {
    return at("train/step/batch/" + Name);
  }
  static uint32_t parentOf(uint32_t Node) { return NodeTree().of(Node).Parent; }

  void run(const Piece &P) {
    call(++LastId, P.Node, P.Start, P.Start + 1);
    Adding->addWork(P.IsKernel ? kernel(LastId, P.Start, P.End)
                               : copy(LastId, P.Start, P.End),
                    UINT64_MAX);
  }
  static DeviceUse reading(uint64_t Ticks, double Sm, double Sent = 0,
                           uint32_t HostNode = None) {
    DeviceUse Read;
    Read.Ticks = Ticks;
    Read.HostNode = HostNode;
    if (Sm >= 0) {
      Read.set(DeviceUseOf::SmActive, Sm);
      Read.set(DeviceUseOf::PcieSent, Sent);
    }
    return Read;
  }
  void read(uint64_t Ticks, double Sm, double Sent = 0,
            uint32_t HostNode = None) {
    Adding->addUse(reading(Ticks, Sm, Sent, HostNode), Age);
  }

  static std::map<Key, Sum> uses() {
    std::map<Key, Sum> Result;
    for (auto *U : all<loopscope_gpu_use>(LOOPSCOPE_CHUNK_GPU_USE)) {
      EXPECT_EQ(U->sequence % 2, 0U);
      Sum &To = Result[{U->node, U->owner, U->use}];
      To.Windows += U->windows;
      To.Ticks += U->ticks;
      To.Integral += U->integral;
    }
    return Result;
  }
  static Sum use(uint32_t Node, loopscope_gpu_use_owner Owner,
                 DeviceUseOf Which = DeviceUseOf::SmActive) {
    auto All = uses();
    auto Found = All.find({Node, Owner, static_cast<uint32_t>(Which)});
    return Found == All.end() ? Sum() : Found->second;
  }

  std::map<std::string, uint32_t> Index;
  uint32_t LastId = 0;
};

constexpr auto OfNode = LOOPSCOPE_USE_OF_NODE;
constexpr auto OfIdle = LOOPSCOPE_USE_OF_IDLE;
constexpr auto OfMany = LOOPSCOPE_USE_OF_MANY;

using Random = std::mt19937_64;
inline uint64_t between(Random &R, uint64_t Low, uint64_t High) {
  return Low + R() % (High - Low + 1);
}
} // namespace gpu_use

#endif // LOOPSCOPE_TEST_GPUUSEFIXTURE_H
