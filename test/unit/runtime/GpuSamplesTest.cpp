// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose work the samples of PM sampling are charged to: by hand, and against
// the truth of a simulated GPU. A tick is a microsecond.

#include "GpuUseFixture.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace gpu_use;

namespace {
constexpr uint64_t Interval = 500;

class GpuSamplesTest : public GpuUseTest {
protected:
  // One sample ends; the first only begins one.
  void sample(uint64_t Ticks, double Sm, double Sent = 0,
              uint32_t HostNode = None) {
    DeviceUse Use = reading(Ticks, Sm, Sent, HostNode);
    Use.Source = DeviceUseSource::Samples;
    Adding->addUse(Use, 0);
  }
};

TEST_F(GpuSamplesTest, APhaseHasThePartOfASampleInWhichItsWorkRan) {
  run({2000, 2100, phase("forward"), true});
  sample(2000, -1);
  sample(2500, 18); // 90 % of a fifth
  settle();
  EXPECT_EQ(use(phase("forward"), OfNode).Ticks, 100U);
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 90);
  EXPECT_EQ(use(step(), OfNode).Ticks, 400U);
  EXPECT_EQ(use(step(), OfNode).mean(), 0);
}

TEST_F(GpuSamplesTest, OnlyWhatHasNearlyAllOfTheWorkOwnsASample) {
  run({2000, 2094, phase("forward"), true});
  run({2094, 2100, phase("backward"), true});
  run({2500, 2595, phase("forward"), true});
  run({2595, 2600, phase("backward"), true});
  run({3000, 3250, phase("forward"), true});
  run({3250, 3500, at("outside"), true});
  sample(2000, -1);
  sample(2500, 10); // the batch's: 94 % are forward
  sample(3000, 20); // forward's: 95 %
  sample(3500, 40); // all of it work, but of no step
  settle();
  EXPECT_EQ(use(at("train/step/batch"), OfNode).Ticks, 100U);
  EXPECT_EQ(use(at("train/step/batch"), OfNode).mean(), 50);
  EXPECT_EQ(use(phase("forward"), OfNode).Ticks, 100U);
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 100);
  EXPECT_EQ(use(phase("backward"), OfNode).Windows, 0U);
  EXPECT_EQ(use(at("root"), OfNode).Ticks, 500U);
  EXPECT_EQ(use(at("root"), OfNode).mean(), 40);
}

TEST_F(GpuSamplesTest, LinksAreOfCopies) {
  run({2000, 2250, phase("forward"), true});
  run({2000, 2250, phase("update"), false});
  sample(2000, -1);
  sample(2500, 10, 1e9);
  settle();
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 20);
  EXPECT_EQ(use(phase("update"), OfNode, DeviceUseOf::PcieSent).mean(), 2e9);
}

TEST_F(GpuSamplesTest, IdleSamplesAndGaps) {
  run({1900, 1990, phase("forward"), true});
  run({4000, 5000, phase("forward"), true});
  sample(2000, -1);
  sample(2500, 0, 0, phase("update"));
  sample(4500, -1); // two samples are lost
  sample(5000, 60);
  settle();
  EXPECT_EQ(use(step(), OfIdle).Ticks, 500U);
  EXPECT_EQ(use(phase("forward"), OfNode).Ticks, 500U);
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 60);
}

TEST_F(GpuSamplesTest, ThirtySecondsOfSamplesMayWaitForTheirWork) {
  run({2000, 200000 * Ms, phase("forward"), true});
  sample(2000, -1);
  uint64_t Samples = UseWindows::MostWaiting + 100;
  for (uint64_t I = 1; I <= Samples; ++I) {
    sample(2000 + I * Interval, 50);
    if (I % 1000 == 0)
      settle(2000); // the work may be of any time after it
  }
  settle();
  uint64_t Kept = use(phase("forward"), OfNode).Windows;
  EXPECT_EQ(Kept, UseWindows::MostWaiting);
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 50);
}

// Each phase has eight kernels, which differ by up to 8 points from its mean.
struct Phase {
  uint32_t Node;
  uint64_t Ticks;
  std::array<double, 8> Rates;
};

TEST_F(GpuSamplesTest, PhasesOfMillisecondsAreNearTheTruth) {
  double Worst = 0;
  unsigned Judged = 0;
  uint64_t Base = 1000 * Ms;
  for (uint64_t Seed = 0; Seed < 60; ++Seed) {
    Random R(Seed);
    std::vector<Phase> Phases;
    for (const char *Name : {"forward", "backward", "update"}) {
      Phase P = {phase(Name), between(R, 2, 20) * Ms, {}};
      auto Mean = static_cast<double>(between(R, 8, 92));
      for (double &Each : P.Rates)
        Each = Mean + static_cast<double>(between(R, 0, 16)) - 8;
      Phases.push_back(P);
    }
    std::vector<std::pair<Piece, double>> Work;
    std::map<uint32_t, Sum> Truth;
    uint64_t T = Base;
    uint64_t End = Base + 4000 * Ms;
    while (T < End) {
      for (const Phase &P : Phases)
        for (double Rate : P.Rates) {
          uint64_t Ticks = P.Ticks / P.Rates.size();
          Work.push_back({{T, T + Ticks, P.Node, true}, Rate});
          Truth[P.Node].Ticks += Ticks;
          Truth[P.Node].Integral += Rate * static_cast<double>(Ticks);
          T += Ticks + (R() % 8 == 0 ? between(R, 1, 50) : 0);
        }
      T += R() % 2 == 0 ? 0 : between(R, 1, 5 * Ms);
    }
    std::map<Key, Sum> Before = uses();
    for (auto &[P, Rate] : Work)
      run(P);
    Sum All;
    sample(Base, -1);
    size_t Next = 0;
    for (uint64_t At = Base; At < T + Ms; At += Interval) {
      double Integral = 0;
      while (Next < Work.size() && Work[Next].first.End <= At)
        ++Next;
      for (size_t I = Next;
           I < Work.size() && Work[I].first.Start < At + Interval; ++I)
        Integral +=
            Work[I].second *
            static_cast<double>(std::min(Work[I].first.End, At + Interval) -
                                std::max(Work[I].first.Start, At));
      sample(At + Interval, Integral / static_cast<double>(Interval), 0,
             phase("update"));
      All.Ticks += Interval;
      All.Integral += Integral;
    }
    settle(T + 1000 * Ms);
    // All rows are the device's total.
    for (auto &[Which, Its] : uses()) {
      auto [Node, Owner, Use] = Which;
      if (Use != static_cast<uint32_t>(DeviceUseOf::SmActive))
        continue;
      Sum Found = {Its.Windows - Before[Which].Windows,
                   Its.Ticks - Before[Which].Ticks,
                   Its.Integral - Before[Which].Integral};
      All.Ticks -= Found.Ticks;
      All.Integral -= Found.Integral;
      if (Owner != OfNode || Truth.count(Node) == 0)
        continue;
      double Off = std::abs(Found.mean() - Truth[Node].mean());
      EXPECT_LE(Off, 1) << Seed;
      Worst = std::max(Worst, Off);
      ++Judged;
    }
    EXPECT_EQ(All.Ticks, 0U) << Seed;
    EXPECT_NEAR(All.Integral, 0, 1) << Seed;
    Base = T + 5000 * Ms;
    sample(Base - 10 * Ms, -1); // no sample lies between two seeds
  }
  EXPECT_EQ(Judged, 180U);
  RecordProperty("worst_points", std::to_string(Worst));
  std::printf("worst error of a phase: %.2f points, of %u\n", Worst, Judged);
}
} // namespace
