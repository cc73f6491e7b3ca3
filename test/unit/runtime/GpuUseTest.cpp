// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose work the hardware's readings are charged to: by hand, against a slow
// reference, and against the truth of a simulated GPU. A tick is a microsecond.

#include "GpuUseFixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace gpu_use;

namespace {
TEST_F(GpuUseTest, AWindowBelongsToTheDeepestOwnerOfNearlyAllOfIt) {
  read(200 * Ms, -1);
  run({50 * Ms, 300 * Ms, phase("forward/first"), true});
  run({300 * Ms, 480 * Ms, phase("forward/second"), true});
  run({480 * Ms, 2000 * Ms, phase("backward"), true});
  read(400 * Ms, 10); // 100 to 400: forward, in two parts
  read(600 * Ms, 20); // 300 to 600: forward and backward
  read(800 * Ms, 40); // 500 to 800: backward
  settle();
  EXPECT_EQ(use(phase("forward"), OfNode).Windows, 1U);
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 10);
  EXPECT_EQ(use(phase("backward"), OfNode).mean(), 40);
  EXPECT_EQ(use(phase("backward"), OfNode).Ticks, 200 * Ms);
  // The batch has all of the second, which is deeper than its step.
  EXPECT_EQ(use(at("train/step/batch"), OfNode).mean(), 20);
}

TEST_F(GpuUseTest, APhaseThatLeavesTheDeviceIdleGivesItsFiguresToTheStep) {
  read(200 * Ms, -1);
  run({100 * Ms, 300 * Ms, phase("forward"), true});
  read(400 * Ms, 10); // a third is idle
  settle();
  EXPECT_EQ(use(step(), OfNode).mean(), 10);
  EXPECT_EQ(use(phase("forward"), OfNode).Windows, 0U);
}

TEST_F(GpuUseTest, AnIdleWindowIsOfTheHostsStep) {
  read(200 * Ms, -1);
  run({10 * Ms, 20 * Ms, phase("forward"), true});
  read(400 * Ms, 3, 0, phase("update/first"));
  read(600 * Ms, 4, 0, None);
  settle();
  EXPECT_EQ(use(step(), OfIdle).mean(), 3);
  EXPECT_EQ(use(None, OfIdle).mean(), 4);
}

TEST_F(GpuUseTest, LinksAreOfCopiesAndTheRestOfKernels) {
  read(200 * Ms, -1);
  run({100 * Ms, 400 * Ms, phase("forward"), true});
  run({100 * Ms, 400 * Ms, phase("update"), false});
  read(400 * Ms, 10, 5e9);
  settle();
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 10);
  EXPECT_EQ(use(phase("update"), OfNode, DeviceUseOf::PcieSent).mean(), 5e9);
  EXPECT_EQ(use(phase("forward"), OfNode, DeviceUseOf::PcieSent).Windows, 0U);
}

TEST_F(GpuUseTest, WorkWithoutALaunchIsOfNoPath) {
  read(200 * Ms, -1);
  run({100 * Ms, 400 * Ms, None, true});
  read(400 * Ms, 10);
  settle();
  EXPECT_EQ(use(None, OfMany).mean(), 10);
}

TEST_F(GpuUseTest, AWindowWhosePastIsCountedIsLeftOut) {
  run({100 * Ms, 900 * Ms, phase("forward"), true});
  settle(500 * Ms);
  read(520 * Ms, -1); // its window would begin at 420
  read(700 * Ms, 10);
  read(900 * Ms, 20);
  settle();
  EXPECT_EQ(use(phase("forward"), OfNode).Windows, 1U);
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 20);
}

TEST_F(GpuUseTest, AReadingWithoutValuesOnlyBeginsAWindow) {
  run({100 * Ms, 2000 * Ms, phase("forward"), true});
  read(300 * Ms, -1);
  read(500 * Ms, 10);
  read(1500 * Ms, -1); // after a refusal
  read(1700 * Ms, 30);
  settle();
  EXPECT_EQ(use(phase("forward"), OfNode).Windows, 2U);
  EXPECT_EQ(use(phase("forward"), OfNode).Ticks, 400 * Ms);
}

TEST_F(GpuUseTest, ALongKernelSettlesManyWindowsAtOnce) {
  run({100 * Ms, 900000 * Ms, phase("forward"), true});
  uint64_t Time = 300 * Ms;
  read(Time, -1);
  for (int I = 0; I < 4000; ++I)
    read(Time += 200 * Ms, I % 2 == 0 ? 10 : 20);
  settle();
  EXPECT_EQ(use(phase("forward"), OfNode).Windows, 4000U);
  EXPECT_EQ(use(phase("forward"), OfNode).mean(), 15);
}

// What the writer must do, in the simplest way.
class SlowReference {
public:
  explicit SlowReference(std::vector<Piece> Work) : Work(std::move(Work)) {}

  // The owner of the window, for kernels or for links.
  Key ownerOf(uint64_t From, uint64_t To, bool OfLinks, uint32_t HostNode) {
    std::vector<uint64_t> Edges = {From, To};
    for (const Piece &P : Work)
      for (uint64_t Each : {P.Start, P.End})
        if (Each > From && Each < To)
          Edges.push_back(Each);
    std::sort(Edges.begin(), Edges.end());
    std::map<uint32_t, uint64_t> Below;
    uint64_t Busy = 0;
    for (size_t I = 0; I + 1 < Edges.size(); ++I) {
      std::vector<uint32_t> Nodes = running(Edges[I], Edges[I + 1], OfLinks);
      if (Nodes.empty())
        continue;
      uint64_t Ticks = Edges[I + 1] - Edges[I];
      Busy += Ticks;
      for (uint32_t Each : pathTo(Nodes[0]))
        if (std::all_of(Nodes.begin(), Nodes.end(), [&](uint32_t N) {
              std::vector<uint32_t> Path = pathTo(N);
              return std::find(Path.begin(), Path.end(), Each) != Path.end();
            }))
          Below[Each] += Ticks;
    }
    if (Busy == 0) {
      while (HostNode != None && !isAround(HostNode))
        HostNode = Tree.of(HostNode).Parent;
      return {HostNode, OfIdle, 0};
    }
    uint32_t Best = None;
    for (auto [Node, Ticks] : Below)
      if ((isPart(Ticks, To - From) ||
           (isAround(Node) && isPart(Ticks, Busy))) &&
          (Best == None || Tree.of(Node).Depth > Tree.of(Best).Depth))
        Best = Node;
    return {Best, Best == None ? OfMany : OfNode, 0};
  }

private:
  static bool isPart(uint64_t Ticks, uint64_t Of) {
    return Ticks >= Of - Of / 20;
  }
  bool isAround(uint32_t Node) {
    uint16_t Kind = Tree.of(Node).Kind;
    return Kind == LOOPSCOPE_KIND_ROOT || Kind == LOOPSCOPE_KIND_TRAIN ||
           Kind == LOOPSCOPE_KIND_STEP;
  }
  std::vector<uint32_t> pathTo(uint32_t Node) {
    std::vector<uint32_t> Path;
    for (; Node != None; Node = Tree.of(Node).Parent)
      Path.push_back(Node);
    return Path;
  }
  // The nodes that count from FROM to TO, between two edges.
  std::vector<uint32_t> running(uint64_t From, uint64_t To, bool OfLinks) {
    std::array<std::vector<uint32_t>, 2> Nodes;
    for (const Piece &P : Work)
      if (P.Start <= From && P.End >= To)
        Nodes[P.IsKernel ? 0 : 1].push_back(P.Node);
    std::vector<uint32_t> &Mine = Nodes[OfLinks ? 1 : 0];
    return Mine.empty() ? Nodes[OfLinks ? 0 : 1] : Mine;
  }

  std::vector<Piece> Work;
  NodeTree Tree;
};

TEST_F(GpuUseTest, RandomTimelinesAgreeWithASlowReference) {
  const std::vector<uint32_t> Nodes = {
      phase("forward"),        phase("forward/first"),
      phase("forward/second"), phase("backward"),
      phase("update/first"),   at("train/step/batch"),
      at("outside"),           at("root")};
  for (uint64_t Seed = 0; Seed < 20; ++Seed) {
    SCOPED_TRACE(Seed);
    Random R(Seed);
    uint64_t Longest = uint64_t(1) << between(R, 2, 11); // ms
    std::vector<Piece> Work;
    uint64_t Base = 1000 * Ms + Seed * 100000 * Ms;
    uint64_t End = Base + 20000 * Ms;
    for (uint64_t Stream = 0; Stream <= Seed % 3; ++Stream)
      for (uint64_t T = Base; T < End;) {
        uint64_t Ticks = between(R, 1, Longest * Ms);
        if (R() % 5 != 0)
          Work.push_back(
              {T, T + Ticks, Nodes[R() % Nodes.size()], R() % 4 != 0});
        T += Ticks;
      }
    std::sort(Work.begin(), Work.end(),
              [](const Piece &A, const Piece &B) { return A.Start < B.Start; });
    struct Reading {
      uint64_t Ticks;
      double Value;
      uint32_t HostNode;
    };
    std::vector<Reading> Readings;
    for (uint64_t T = Base + 200 * Ms; T < End;
         T += between(R, LeastDeviceUseMs * Ms, 3 * LeastDeviceUseMs * Ms))
      Readings.push_back({T, static_cast<double>(R() % 1000) / 10,
                          R() % 8 == 0 ? None : Nodes[R() % Nodes.size()]});

    // As the collector does it: in rounds, each after a while.
    std::map<Key, Sum> Before = uses();
    size_t NextWork = 0;
    size_t NextReading = 0;
    for (uint64_t Round = Base; NextReading < Readings.size();) {
      Round += between(R, 10 * Ms, 600 * Ms);
      for (; NextWork < Work.size() && Work[NextWork].Start <= Round;
           ++NextWork)
        run(Work[NextWork]);
      for (; NextReading < Readings.size() &&
             Readings[NextReading].Ticks <= Round;
           ++NextReading) {
        const Reading &Each = Readings[NextReading];
        read(Each.Ticks, NextReading == 0 ? -1 : Each.Value, Each.Value * 1e6,
             Each.HostNode);
      }
      settle(Round - Age);
    }
    for (; NextWork < Work.size(); ++NextWork)
      run(Work[NextWork]);
    settle(End + 10000 * Ms);
    // The last window of this seed is never closed.
    std::map<Key, Sum> After = uses();

    SlowReference Slow(Work);
    std::map<Key, Sum> Expected;
    for (size_t I = 1; I < Readings.size(); ++I)
      for (bool OfLinks : {false, true}) {
        Key Owner = Slow.ownerOf(Readings[I - 1].Ticks - Age, Readings[I].Ticks,
                                 OfLinks, Readings[I].HostNode);
        std::get<2>(Owner) = static_cast<uint32_t>(
            OfLinks ? DeviceUseOf::PcieSent : DeviceUseOf::SmActive);
        Sum &To = Expected[Owner];
        uint64_t Ticks = Readings[I].Ticks - Readings[I - 1].Ticks;
        ++To.Windows;
        To.Ticks += Ticks;
        To.Integral += Readings[I].Value * (OfLinks ? 1e6 : 1) *
                       static_cast<double>(Ticks);
      }
    for (auto &[Which, Its] : After) {
      Sum Was = Before[Which];
      Sum Want = Expected[Which];
      // The window between two seeds belongs to what ran last.
      uint64_t Bridge = Its.Windows - Was.Windows - Want.Windows;
      EXPECT_LE(Bridge, Seed == 0 ? 0U : 1U)
          << std::get<0>(Which) << " " << std::get<1>(Which);
      if (Bridge == 0) {
        EXPECT_EQ(Its.Ticks - Was.Ticks, Want.Ticks);
        EXPECT_NEAR(Its.Integral - Was.Integral, Want.Integral,
                    1e-6 * Its.Integral);
      }
      Expected.erase(Which);
    }
    for (auto &[Which, Want] : Expected)
      EXPECT_EQ(Want.Windows, 0U) << std::get<0>(Which);
  }
}

// The hardware's counters are renewed every 100 ms: a reading gives what they
// were then, as a ratio over its own interval.
class Hardware {
public:
  explicit Hardware(std::map<uint32_t, double> RateOf, std::vector<Piece> Work)
      : RateOf(std::move(RateOf)), Work(std::move(Work)) {}

  double total(uint64_t Until) const {
    double Sum = 0;
    for (const Piece &P : Work)
      if (P.Start < Until)
        Sum += RateOf.at(P.Node) *
               static_cast<double>(std::min(P.End, Until) - P.Start);
    return Sum;
  }
  static uint64_t renewed(uint64_t Ticks) { return Ticks - Ticks % Age; }
  double ratio(uint64_t From, uint64_t To) const {
    uint64_t A = renewed(From);
    uint64_t B = renewed(To);
    return B == A ? 0 : (total(B) - total(A)) / static_cast<double>(B - A);
  }

private:
  std::map<uint32_t, double> RateOf;
  std::vector<Piece> Work; // one after another
};

TEST_F(GpuUseTest, APhasesMeanIsNearTheTruth) {
  double Worst = 0;
  unsigned Judged = 0;
  uint64_t Base = 1000 * Ms;
  for (uint64_t Seed = 0; Seed < 100; ++Seed) {
    Random R(Seed + 1000);
    std::map<uint32_t, double> Rates;
    std::vector<Piece> Work;
    uint64_t Longest = between(R, 20, 4000);
    uint64_t T = Base;
    uint64_t End = Base + 60000 * Ms;
    std::map<std::string, uint64_t> Lasts;
    for (const char *Name : {"forward", "backward", "update"}) {
      Rates[phase(Name)] = static_cast<double>(R() % 101);
      Lasts[Name] = between(R, 1, Longest) * Ms;
    }
    while (T < End) {
      for (const char *Name : {"forward", "backward", "update"}) {
        Work.push_back({T, T + Lasts[Name], phase(Name), true});
        T += Lasts[Name];
      }
      T += R() % 2 == 0 ? 0 : between(R, 1, Longest / 4 + 1) * Ms;
    }
    Hardware Gpu(Rates, Work);
    std::map<Key, Sum> Before = uses();
    for (const Piece &P : Work)
      run(P);
    uint64_t Last = Base + 300 * Ms;
    read(Last, -1);
    while (Last < End) {
      uint64_t Next = Last + between(R, LeastDeviceUseMs * Ms,
                                     (LeastDeviceUseMs + 100) * Ms);
      read(Next, Gpu.ratio(Last, Next));
      Last = Next;
    }
    settle(T + 1000 * Ms);
    for (auto &[Which, Its] : uses()) {
      auto [Node, Owner, Use] = Which;
      Sum Was = Before[Which];
      uint64_t Windows = Its.Windows - Was.Windows;
      if (Owner != OfNode || Rates.count(Node) == 0 || Windows < 5 ||
          Use != static_cast<uint32_t>(DeviceUseOf::SmActive))
        continue;
      double Mean = (Its.Integral - Was.Integral) /
                    static_cast<double>(Its.Ticks - Was.Ticks);
      // At most 5 % of a window and its age was others' work.
      double Bound =
          5.0 * (LeastDeviceUseMs + DeviceUseAgeMs) / LeastDeviceUseMs;
      EXPECT_NEAR(Mean, Rates[Node], Bound) << Seed;
      Worst = std::max(Worst, std::abs(Mean - Rates[Node]));
      ++Judged;
    }
    Base = T + 5000 * Ms;
  }
  EXPECT_GT(Judged, 50U);
  RecordProperty("worst_points", std::to_string(Worst));
  std::printf("worst error of a phase: %.2f points, of %u\n", Worst, Judged);
}
} // namespace
