// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measured nodes and the groups of unmeasured ones in them.

#include "Analysis/Steps/OwnCpu.h"

#include "Analysis/Account/NestedLoops.h"
#include "Analysis/Thresholds.h"

#include <algorithm>
#include <cmath>

using namespace loopscope;

namespace {
// Sums as doubles: they are scaled from the measured spans to all, and divided
// up.
struct CpuFigures {
  double Cpu = 0, Minor = 0, Major = 0, Voluntary = 0, Involuntary = 0;

  static CpuFigures of(const CpuSums &S, double Scale) {
    return {static_cast<double>(S.CpuNs) * Scale,
            static_cast<double>(S.MinorFaults) * Scale,
            static_cast<double>(S.MajorFaults) * Scale,
            static_cast<double>(S.VoluntarySwitches) * Scale,
            static_cast<double>(S.InvoluntarySwitches) * Scale};
  }
  void subtract(const CpuFigures &F) {
    for (double CpuFigures::*Each :
         {&CpuFigures::Cpu, &CpuFigures::Minor, &CpuFigures::Major,
          &CpuFigures::Voluntary, &CpuFigures::Involuntary})
      this->*Each = std::max(0.0, this->*Each - F.*Each);
  }
};

// Bounds numbers that a hostile profile may contain.
constexpr double Largest = 9e18;
int64_t toNs(double Ns) {
  return static_cast<int64_t>(std::clamp(Ns, 0.0, Largest));
}
uint64_t toCount(double Number) {
  return static_cast<uint64_t>(std::clamp(std::round(Number), 0.0, Largest));
}

double ratio(int64_t Part, int64_t Whole) {
  return Whole <= 0 ? 0
                    : static_cast<double>(Part) / static_cast<double>(Whole);
}

// What a measured node has beyond its measured descendants, and the nodes that
// it belongs to.
struct Group {
  std::vector<uint32_t> Members; // the measured node first
  CpuFigures Rest;
  double WallNs = 0;
  double StarvedNs = 0;
  double OthersNs = 0;
};

class Shares {
public:
  Shares(const Run &R, const std::vector<uint32_t> &PhaseOf,
         const std::vector<bool> &IsDraw)
      : R(R), PhaseOf(PhaseOf), IsDraw(IsDraw), Own(R.Nodes.size()) {
    Out.Of.resize(R.Nodes.size());
    Out.StandsFor.resize(R.Nodes.size());
    for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
      Own[I] = ownNs(R, I);
      Out.StandsFor[I] = I;
    }
  }

  OwnCpu run() {
    shareFigures();
    shareStarved();
    return std::move(Out);
  }

private:
  bool isMeasured(uint32_t I) const {
    return R.Nodes[I].Cpu.standFor(includedNs(R, I));
  }
  bool hasStarved(uint32_t I) const {
    return isMeasured(I) && R.Nodes[I].Cpu.hasStarved();
  }

  // Groups nodes by the measured node around them; HAS tells which are
  // measured.
  template <typename Predicate> std::vector<Group> groups(Predicate Has) const {
    std::vector<Group> Result(R.Nodes.size());
    std::vector<uint32_t> Head(R.Nodes.size(), None);
    for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
      uint32_t Parent = R.Nodes[I].Parent;
      uint32_t Around = Parent == None ? None : Head[Parent];
      Head[I] = Has(I) ? I : Around;
      if (Head[I] == None)
        continue;
      Result[Head[I]].Members.push_back(I);
      if (Head[I] != I)
        continue;
      const Node &N = R.Nodes[I];
      int64_t Ns = includedNs(R, I);
      CpuFigures All = CpuFigures::of(N.Cpu, ratio(Ns, N.Cpu.MeasuredNs));
      double Starved =
          static_cast<double>(N.Cpu.StarvedNs) * ratio(Ns, N.Cpu.StarvedOfNs);
      double Others =
          static_cast<double>(N.Cpu.OthersNs) * ratio(Ns, N.Cpu.StarvedOfNs);
      Result[I].Rest = All;
      Result[I].StarvedNs = Starved;
      Result[I].OthersNs = Others;
      if (Around != None) {
        Result[Around].Rest.subtract(All);
        Result[Around].StarvedNs =
            std::max(0.0, Result[Around].StarvedNs - Starved);
        Result[Around].OthersNs =
            std::max(0.0, Result[Around].OthersNs - Others);
      }
    }
    for (Group &Each : Result)
      for (uint32_t Member : Each.Members)
        Each.WallNs += static_cast<double>(Own[Member]);
    return Result;
  }

  bool isOnePhase(const Group &G) const {
    return std::all_of(
        G.Members.begin(), G.Members.end(), [&](uint32_t Member) {
          return Own[Member] == 0 ||
                 (PhaseOf[Member] == PhaseOf[G.Members.front()] &&
                  IsDraw[Member] == IsDraw[G.Members.front()]);
        });
  }

  // Whether nearly all of its time was spent in one way.
  static bool isUniform(const Group &G) {
    bool Works = G.Rest.Cpu >= Uniform * G.WallNs &&
                 G.Rest.Minor * LongestFaultNs < G.Rest.Cpu;
    return Works || G.WallNs - G.Rest.Cpu >= Uniform * G.WallNs;
  }

  bool isOther(const Group &G, uint32_t Member) const {
    return IsDraw[Member] != IsDraw[G.Members.front()];
  }

  // Whether a large part of the time is waiting for data and a large part
  // isn't.
  bool isHalfDraw(const Group &G) const {
    double Other = 0;
    for (uint32_t Member : G.Members)
      if (isOther(G, Member))
        Other += static_cast<double>(Own[Member]);
    return G.WallNs - Other < Uniform * G.WallNs;
  }

  void give(uint32_t To, const CpuFigures &F, double Part) {
    CpuSums &S = Out.Of[To];
    S.MeasuredNs = Own[To];
    S.CpuNs = std::min(toNs(F.Cpu * Part), Own[To]);
    S.MinorFaults = toCount(F.Minor * Part);
    S.MajorFaults = toCount(F.Major * Part);
    S.VoluntarySwitches = toCount(F.Voluntary * Part);
    S.InvoluntarySwitches = toCount(F.Involuntary * Part);
  }

  void shareFigures() {
    for (const Group &G : groups([&](uint32_t I) { return isMeasured(I); })) {
      if (G.WallNs <= 0)
        continue;
      bool IsMixed = !isOnePhase(G) && !isUniform(G);
      if (IsMixed && isHalfDraw(G))
        continue;
      for (uint32_t Member : G.Members) {
        if (IsMixed && isOther(G, Member))
          continue;
        give(Member, G.Rest, static_cast<double>(Own[Member]) / G.WallNs);
        if (IsMixed)
          Out.StandsFor[Member] = G.Members.front();
      }
    }
  }

  // Divides time without a processor in proportion to time off it, and other
  // threads' time evenly.
  void shareStarved() {
    for (const Group &G : groups([&](uint32_t I) { return hasStarved(I); })) {
      double Off = 0;
      for (uint32_t Member : G.Members)
        Off += static_cast<double>(
            std::max<int64_t>(0, Own[Member] - Out.Of[Member].CpuNs));
      for (uint32_t Member : G.Members) {
        CpuSums &S = Out.Of[Member];
        if (S.MeasuredNs == 0)
          continue;
        S.StarvedOfNs = S.MeasuredNs;
        S.OthersNs =
            toNs(G.OthersNs * static_cast<double>(Own[Member]) / G.WallNs);
        if (Off > 0)
          S.StarvedNs = std::min(
              S.offCpuNs(),
              toNs(G.StarvedNs * static_cast<double>(S.offCpuNs()) / Off));
      }
    }
  }

  const Run &R;
  const std::vector<uint32_t> &PhaseOf;
  const std::vector<bool> &IsDraw;
  std::vector<int64_t> Own;
  OwnCpu Out;
};
} // namespace

int64_t loopscope::ownNs(const Run &R, uint32_t Node) {
  if (!R.HostTimes.empty())
    return R.HostTimes[Node].OwnNs;
  int64_t Own = R.Nodes[Node].InclusiveNs - R.Nodes[Node].ExcludedNs;
  for (uint32_t Child : R.Nodes[Node].Children)
    Own = std::max<int64_t>(0, Own - R.Nodes[Child].InclusiveNs);
  return std::max<int64_t>(0, Own - lastDrawNs(R, Node));
}

OwnCpu loopscope::ownCpu(const Run &R, const std::vector<uint32_t> &PhaseOf,
                         const std::vector<bool> &IsDraw) {
  if (!R.HostTimes.empty()) {
    OwnCpu Known;
    for (const HostTime &Each : R.HostTimes) {
      Known.Of.push_back(Each.Cpu);
      Known.StandsFor.push_back(Each.StandsFor);
    }
    return Known;
  }
  return Shares(R, PhaseOf, IsDraw).run();
}
