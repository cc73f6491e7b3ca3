// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes become loops and their parts; processes become one.

#include "Analysis/Steps/HistoryCurves.h"

#include "Analysis/Steps/HistoryFigures.h"
#include "Run/Model/NestedLanes.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace loopscope;

namespace {
// Splits AMOUNTS, which stand for the bins FROM, over the bins TO by time,
// without losing any.
template <typename Number>
std::vector<Number> resample(const std::vector<HistoryBin> &From,
                             const std::vector<Number> &Amounts,
                             const std::vector<HistoryBin> &To) {
  std::vector<Number> Result(To.size());
  size_t Into = 0;
  for (size_t I = 0; I < From.size(); ++I) {
    auto Whole = static_cast<double>(
        std::max<int64_t>(1, From[I].ToNs - From[I].FromNs));
    Number Given = 0;
    while (Into + 1 < To.size() && To[Into].ToNs <= From[I].FromNs)
      ++Into;
    for (size_t At = Into; At < To.size(); ++At) {
      bool IsLast = At + 1 == To.size() || To[At].ToNs >= From[I].ToNs;
      double Share = static_cast<double>(To[At].ToNs - From[I].FromNs) / Whole;
      auto Upto = IsLast ? Amounts[I]
                         : static_cast<Number>(std::floor(
                               Share * static_cast<double>(Amounts[I])));
      Result[At] += Upto - Given;
      Given = Upto;
      if (IsLast)
        break;
    }
  }
  return Result;
}

std::vector<HistorySteps> resample(const std::vector<HistoryBin> &From,
                                   const std::vector<HistorySteps> &Steps,
                                   const std::vector<HistoryBin> &To) {
  std::vector<HistorySteps> Result(To.size());
  auto Split = [&](auto Get) {
    std::vector<uint64_t> Amounts;
    for (const HistorySteps &Each : Steps)
      Amounts.push_back(Get(const_cast<HistorySteps &>(Each)));
    std::vector<uint64_t> Parts = resample(From, Amounts, To);
    for (size_t I = 0; I < To.size(); ++I)
      Get(Result[I]) = Parts[I];
  };
  Split([](HistorySteps &S) -> uint64_t & { return S.Steps; });
  Split([](HistorySteps &S) -> uint64_t & { return S.Samples; });
  for (size_t I = 0; I < From.size(); ++I)
    for (size_t At = 0; At < To.size(); ++At)
      if (To[At].FromNs < From[I].ToNs && From[I].FromNs < To[At].ToNs &&
          Result[At].Steps != 0)
        Result[At].LongestNs =
            std::max(Result[At].LongestNs, Steps[I].LongestNs);
  return Result;
}

void addSteps(const HistorySteps &From, HistorySteps &To) {
  To.Steps += From.Steps;
  To.Samples += From.Samples;
  To.LongestNs = std::max(To.LongestNs, From.LongestNs);
  for (size_t I = 0; I < To.Buckets.size(); ++I)
    To.Buckets[I] += From.Buckets[I];
}

// The mean over all samples.
void addGauge(const HistoryGauge &From, HistoryGauge &To) {
  if (From.Samples == 0)
    return;
  To.Samples += From.Samples;
  To.Mean += (From.Mean - To.Mean) * static_cast<double>(From.Samples) /
             static_cast<double>(To.Samples);
  To.Max = std::max(To.Max, From.Max);
}

void addGauges(const HistoryBin &From, HistoryBin &To) {
  for (size_t I = 0; I < To.Gauges.size(); ++I)
    addGauge(From.Gauges[I], To.Gauges[I]);
}

bool isSameLane(const Run &R, const HistoryLane &A, const HistoryLane &B) {
  return A.Kind == B.Kind && A.Site == B.Site && A.Loop == B.Loop &&
         isNested(R, A) == isNested(R, B);
}

HistoryLane &laneLike(const Run &R, const HistoryLane &Like, RunHistory &In) {
  for (HistoryLane &Each : In.Lanes)
    if (isSameLane(R, Each, Like))
      return Each;
  HistoryLane &New = In.Lanes.emplace_back();
  New.Kind = Like.Kind;
  New.Site = Like.Site;
  New.Loop = Like.Loop;
  New.Ns.resize(In.Bins.size());
  if (New.Kind == LOOPSCOPE_KIND_STEP)
    New.Steps.resize(In.Bins.size());
  return New;
}

// The histories of several processes as one.
RunHistory combined(const Run &R) {
  const std::vector<RunHistory> &All = R.Histories;
  int64_t Longest = 1;
  size_t Most = 1;
  for (const RunHistory &Each : All) {
    Longest = std::max(Longest, Each.Bins.back().ToNs);
    Most = std::max(Most, Each.Bins.size());
  }
  RunHistory Result;
  auto Count = static_cast<int64_t>(std::min(MadeBins, Most));
  for (int64_t I = 0; I < Count; ++I)
    Result.Bins.push_back({static_cast<int64_t>(static_cast<double>(Longest) /
                                                static_cast<double>(Count) *
                                                static_cast<double>(I)),
                           0,
                           {}});
  for (size_t I = 0; I < Result.Bins.size(); ++I)
    Result.Bins[I].ToNs =
        I + 1 == Result.Bins.size() ? Longest : Result.Bins[I + 1].FromNs;
  for (const RunHistory &Each : All) {
    for (HistoryBin &Into : Result.Bins)
      for (const HistoryBin &Bin : Each.Bins)
        if (Bin.ToNs > Into.FromNs && Into.ToNs > Bin.FromNs)
          addGauges(Bin, Into);
    for (const HistoryLane &Lane : Each.Lanes) {
      HistoryLane &To = laneLike(R, Lane, Result);
      std::vector<int64_t> Ns = resample(Each.Bins, Lane.Ns, Result.Bins);
      for (size_t I = 0; I < Ns.size(); ++I)
        To.Ns[I] = saturatingAdd(To.Ns[I], Ns[I]);
      To.Nodes.insert(To.Nodes.end(), Lane.Nodes.begin(), Lane.Nodes.end());
      if (Lane.Steps.empty())
        continue;
      std::vector<HistorySteps> Steps =
          resample(Each.Bins, Lane.Steps, Result.Bins);
      for (size_t I = 0; I < Steps.size(); ++I)
        addSteps(Steps[I], To.Steps[I]);
    }
  }
  return Result;
}

// Makes each two neighbours one.
void fold(RunHistory &Of) {
  auto Halve = [](auto &Values, auto Add) {
    for (size_t I = 0; I < Values.size(); I += 2) {
      Values[I / 2] = Values[I];
      if (I + 1 < Values.size())
        Add(Values[I + 1], Values[I / 2]);
    }
    Values.resize((Values.size() + 1) / 2);
  };
  Halve(Of.Bins, [](const HistoryBin &From, HistoryBin &To) {
    To.ToNs = From.ToNs;
    addGauges(From, To);
  });
  for (HistoryLane &Each : Of.Lanes) {
    Halve(Each.Ns, [](int64_t From, int64_t &To) { To += From; });
    Halve(Each.Steps, addSteps);
  }
}

void foldUntilStepsEnd(RunHistory &Of) {
  constexpr size_t FewestBins = 32;
  constexpr uint64_t StepsOfBin = 4;
  uint64_t Steps = 0;
  for (const HistoryLane &Each : Of.Lanes) {
    uint64_t Own = 0;
    for (const HistorySteps &In : Each.Steps)
      Own += In.Steps;
    Steps = std::max(Steps, Own);
  }
  while (Steps != 0 && Of.Bins.size() > FewestBins &&
         Steps < StepsOfBin * Of.Bins.size())
    fold(Of);
}

// Makes the curves of lanes.
class Maker {
public:
  Maker(const Run &R, RunHistory From) : R(R), From(std::move(From)) {
    LaneOf.resize(R.Nodes.size(), SIZE_MAX);
    for (size_t I = 0; I < this->From.Lanes.size(); ++I)
      for (uint32_t N : this->From.Lanes[I].Nodes)
        LaneOf[N] = I;
  }

  HistoryCurves make() {
    takeOutNested();
    addLoops();
    for (size_t Loop = 0; Loop < Result.Loops.size(); ++Loop)
      addParts(Loop);
    addParts(SIZE_MAX);
    Result.Bins = std::move(From.Bins);
    return std::move(Result);
  }

private:
  // Where the time of a nested loop is, too.
  struct Around {
    std::set<size_t> Steps;  // of the loops that it is directly inside
    std::set<size_t> Phases; // of their steps, or outside all loops
  };
  Around around(const HistoryLane &Loop) const {
    Around Result;
    for (uint32_t N : Loop.Nodes)
      for (uint32_t Up = R.Nodes[N].Parent; Up != None;
           Up = R.Nodes[Up].Parent) {
        if (LaneOf[Up] == SIZE_MAX)
          continue;
        if (R.Nodes[Up].Kind == LOOPSCOPE_KIND_STEP) {
          Result.Steps.insert(LaneOf[Up]);
          break;
        }
        Result.Phases.insert(LaneOf[Up]);
      }
    return Result;
  }

  // Takes up to LEFT out of the lanes OUT in a bin; gives what remains. It
  // doesn't matter out of which.
  int64_t take(size_t Bin, int64_t Left, const std::set<size_t> &Out) {
    for (size_t Each : Out) {
      int64_t &In = From.Lanes[Each].Ns[Bin];
      int64_t Part = std::min(In, Left);
      In -= Part;
      Left -= Part;
    }
    return Left;
  }

  // Takes NS out of the lanes OUT. A loop and what is around it aren't read at
  // the same moment: what a bin lacks is in the next ones or the last ones.
  void take(const std::vector<int64_t> &Ns, const std::set<size_t> &Out) {
    int64_t Left = 0;
    for (size_t I = 0; I < Ns.size(); ++I)
      Left = take(I, Left + Ns[I], Out);
    for (size_t I = Ns.size(); I != 0 && Left != 0; --I)
      Left = take(I - 1, Left, Out);
  }

  // Loops have their time for themselves: not the steps that they run inside,
  // and not the phases.
  void takeOutNested() {
    const std::vector<HistoryLane> Whole = From.Lanes;
    for (const HistoryLane &Each : Whole) {
      if (Each.Kind != LOOPSCOPE_KIND_STEP)
        continue;
      Around Of = around(Each);
      take(Each.Ns, Of.Steps);
      take(Each.Ns, Of.Phases);
    }
  }

  void addLoops() {
    for (bool Training : {true, false})
      for (const HistoryLane &Lane : From.Lanes) {
        if (Lane.Kind != LOOPSCOPE_KIND_STEP)
          continue;
        const Node &Loop = R.Nodes[R.Nodes[Lane.Nodes.front()].Parent];
        if ((Loop.Kind == LOOPSCOPE_KIND_TRAIN) != Training)
          continue;
        LoopCurve New;
        New.IsNested = isNested(R, Lane);
        New.Name = kindWord(Loop.Kind);
        New.Name += New.IsNested ? " (nested)" : "";
        New.IsTraining = Training;
        New.Site = Lane.Loop;
        New.Steps = Lane.Steps;
        New.StepNs = Lane.Ns;
        New.EdgesNs = Lane.EdgesNs;
        for (uint32_t N : Lane.Nodes)
          New.Spans.merge(R.Nodes[N].Spans);
        Result.Loops.push_back(std::move(New));
      }
    for (LoopCurve &Each : Result.Loops) {
      bool IsOnly =
          std::ranges::count_if(Result.Loops, [&](const LoopCurve &Other) {
            return Other.IsTraining == Each.IsTraining &&
                   Other.IsNested == Each.IsNested;
          }) == 1;
      if (std::string Place = siteText(R, Each.Site); !IsOnly && !Place.empty())
        Each.Name += fmt::format(" ({})", Place);
    }
  }

  CurveUse useOf(const HistoryLane &Lane) const {
    if (Lane.Site == None)
      return CurveUse::Inner;
    if (Lane.Kind == LOOPSCOPE_KIND_DRAW && Lane.Loop != None)
      return CurveUse::Draw;
    bool Waits = Lane.Kind == LOOPSCOPE_KIND_WAIT ||
                 Lane.Kind == LOOPSCOPE_KIND_COLLECTIVE;
    return Waits ? CurveUse::Wait : CurveUse::Phase;
  }

  // The parts of a loop, and what is in none of them. Parts aren't read at the
  // moment at which their step is: a bin may have more of them than of it.
  void addParts(size_t Loop) {
    uint32_t Site = Loop == SIZE_MAX ? None : Result.Loops[Loop].Site;
    bool InNested = Loop != SIZE_MAX && Result.Loops[Loop].IsNested;
    std::vector<PartCurve> Parts;
    PartCurve Rest;
    Rest.Use = CurveUse::Rest;
    Rest.Name = "(no phase)";
    Rest.Loop = Loop;
    if (Loop != SIZE_MAX)
      Rest.Ns = Result.Loops[Loop].StepNs;
    for (const HistoryLane &Lane : From.Lanes) {
      if (Lane.Loop != Site || Lane.Kind == LOOPSCOPE_KIND_STEP ||
          isNested(R, Lane) != InNested)
        continue;
      PartCurve New;
      New.Use = useOf(Lane);
      New.Name = New.Use == CurveUse::Draw    ? "draw"
                 : New.Use == CurveUse::Inner ? "waits inside phases"
                                              : R.Sites[Lane.Site].Name;
      New.Loop = Loop;
      New.Nodes = Lane.Nodes;
      New.Ns = Lane.Ns;
      for (size_t I = 0; I < Rest.Ns.size() && New.Use != CurveUse::Inner; ++I)
        Rest.Ns[I] -= New.Ns[I];
      Parts.push_back(std::move(New));
    }
    if (Loop != SIZE_MAX)
      Parts.push_back(std::move(Rest));
    for (PartCurve &Each : Parts)
      for (int64_t Ns : Each.Ns)
        Each.TotalNs = saturatingAdd(Each.TotalNs, Ns);
    sortLargestFirst(Parts, &PartCurve::TotalNs);
    for (PartCurve &Each : Parts)
      Result.Parts.push_back(std::move(Each));
  }

  const Run &R;
  RunHistory From;
  std::vector<size_t> LaneOf; // by node
  HistoryCurves Result;
};

// Makes what is beyond the MOST_PARTS largest phases of a loop one.
void sumUpSmall(HistoryCurves &In, size_t MostParts) {
  struct Sum {
    size_t Count = 0;
    size_t At = 0; // of the part that has the small ones
  };
  std::map<size_t, Sum> Sums; // by loop
  std::vector<PartCurve> Parts;
  for (PartCurve &Each : In.Parts) {
    Sum &Small = Sums[Each.Loop];
    Small.Count += Each.Use == CurveUse::Phase ? 1 : 0;
    if (Each.Use != CurveUse::Phase || Small.Count <= MostParts) {
      Parts.push_back(std::move(Each));
    } else if (Small.Count == MostParts + 1) {
      Small.At = Parts.size();
      Parts.push_back(std::move(Each));
      Parts.back().Name = "(other phases)";
      Parts.back().Nodes.clear();
    } else {
      for (size_t I = 0; I < Each.Ns.size(); ++I)
        Parts[Small.At].Ns[I] += Each.Ns[I];
      Parts[Small.At].TotalNs += Each.TotalNs;
    }
  }
  In.Parts = std::move(Parts);
}
} // namespace

const char *loopscope::keyOf(CurveUse Use) {
  switch (Use) {
  case CurveUse::Draw:
    return "draw";
  case CurveUse::Phase:
    return "phase";
  case CurveUse::Wait:
    return "wait";
  case CurveUse::Inner:
    return "inner_waits";
  case CurveUse::Rest:
    return "no_phase";
  }
  return "";
}

Result<HistoryCurves> loopscope::historyCurves(const Run &R, size_t MostParts,
                                               CurveBins Bins) {
  if (R.Histories.empty())
    return Error{fmt::format(
        "{}: no history: {}", R.Path,
        R.By->KeepsHistory ? "a history covers the whole run; leave out "
                             "the selection"
                           : "it is of a whole trace, and of host calls")};
  RunHistory Found =
      R.Histories.size() == 1 ? R.Histories.front() : combined(R);
  if (Bins == CurveBins::WithSteps)
    foldUntilStepsEnd(Found);
  HistoryCurves Curves = Maker(R, std::move(Found)).make();
  sumUpSmall(Curves, MostParts);
  addHistoryFigures(R.Histories, Bins, Curves);
  return Curves;
}
