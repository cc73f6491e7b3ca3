// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums by operation and communicator, and what links carried, for profiles and
// traces.

#include "Analysis/Ranks/Communication.h"

#include "Analysis/Ranks/RankInstances.h"
#include "Analysis/Ranks/TraceTraffic.h"
#include "Analysis/Verdict/Judge.h"
#include "Run/Model/KnownNames.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Order.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

using namespace loopscope;

namespace {
// Operation and communicator.
using RowKey = std::pair<std::string, std::string>;

// Sums of a row that is being built.
struct RowSums {
  CommunicationRow Row;
  std::set<size_t> Ranks;
  double Wait = 0; // of TotalNs
  uint64_t Compared = 0;
  bool HasUnsplit = false; // a call that couldn't be compared with others'
  bool IsOnDevice = false;
  double BusBytes = 0; // of compared calls whose bytes are known
  double BusNs = 0;
};

// By row; each of a run's nodes belongs to one.
using RowsByKey = std::map<RowKey, RowSums>;

RowKey keyOf(const Run &R, uint32_t N) {
  const Site &S = R.Sites[R.Nodes[N].Site];
  // A call of MPI has no line; its communicator stands in the file's place.
  return {S.Name, S.Line == 0 ? S.File : placeText(fileName(S.File), S.Line)};
}

// Whether a node is communication: MPI's calls that aren't collectives and all
// of Gloo's are waits, and the host's part of NCCL's operations is a phase.
bool communicates(const Run &R, const Node &N) {
  return N.Site != None &&
         (N.Kind == LOOPSCOPE_KIND_COLLECTIVE || N.IsEnqueued ||
          (N.Kind == LOOPSCOPE_KIND_WAIT &&
           (N.Bytes != 0 || R.useOf(N) != SiteUse::None)));
}

// By node of R: whether it is communication of the stage, outside other
// communication.
std::vector<bool> communicationIn(const Run &R, const Stages &Found,
                                  loopscope_kind Kind) {
  std::vector<bool> Result(R.Nodes.size());
  std::vector<bool> Below(R.Nodes.size()); // in or below communication
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    bool IsInside = N.Parent != None && Below[N.Parent];
    Result[I] = !IsInside && Found.Of[I] == Kind && communicates(R, N);
    Below[I] = IsInside || Result[I];
  }
  return Result;
}

// For how many of a node's calls it is known how long they took.
uint64_t timedCalls(const Node &N) {
  return N.IsEnqueued ? N.OnDeviceCalls : N.Spans.count();
}

void addCalls(const Run &R, size_t Rank, const std::vector<bool> &Within,
              RowsByKey &Rows) {
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (!Within[I] || N.Spans.count() == 0)
      continue;
    RowSums &To = Rows[keyOf(R, I)];
    To.Ranks.insert(Rank);
    To.Row.Calls += N.Spans.count();
    To.Row.Bytes += N.Bytes;
    To.Row.TimedCalls += timedCalls(N);
    To.Row.TotalNs = saturatingAdd(To.Row.TotalNs, finishedNs(N));
    To.IsOnDevice |= N.IsEnqueued;
    To.HasUnsplit |= N.Kind != LOOPSCOPE_KIND_COLLECTIVE && !N.IsEnqueued;
  }
}

// Splits the time at a place into wait and transfer.
void addSplit(const std::vector<Run> &All, const MatchedPlace &At,
              double Factor, RowSums &To) {
  if (At.Ranks.size() < 2 || At.List.empty()) {
    To.HasUnsplit = true;
    return;
  }
  for (size_t I = 0; I < At.Ranks.size(); ++I) {
    for (const MatchedInstance &Each : At.List) {
      if (Factor == 0 || Each.Of[I]->Bytes == 0)
        continue;
      To.BusBytes += Factor * static_cast<double>(Each.Of[I]->Bytes);
      To.BusNs += static_cast<double>(Each.transferNs(I));
    }
    PlaceTime Time = placeTimeOf(All, At, I);
    To.Wait += static_cast<double>(Time.WaitNs);
    To.Compared += Time.Compared;
  }
}

// The factor for the bytes of a node's operation; see busFactor.
double factorOf(const Run &R, const Node &N, uint64_t Ranks) {
  const std::string &Name = R.nameOf(N);
  double Factor = busFactor(Name, Ranks);
  return N.IsEnqueued && countsBytesPerPeer(Name)
             ? Factor * static_cast<double>(Ranks)
             : Factor;
}

CommunicationRow finished(const RowKey &Key, RowSums From) {
  CommunicationRow Row = std::move(From.Row);
  std::tie(Row.Operation, Row.Communicator) = Key;
  Row.Ranks = From.Ranks.size();
  Row.IsSplit = !From.HasUnsplit && From.Compared != 0;
  if (!Row.IsSplit) {
    // The factor of a broadcast or reduction doesn't depend on the number of
    // ranks, but their waits aren't known, so they count.
    bool IsRooted =
        busFactor(Row.Operation, 2) == 1 && busFactor(Row.Operation, 3) == 1;
    if (From.IsOnDevice && IsRooted && Row.TotalNs > 0 &&
        Row.TimedCalls == Row.Calls)
      Row.BusBytesPerSecond = static_cast<double>(Row.Bytes) /
                              static_cast<double>(Row.TotalNs) * NsPerSecond;
    return Row;
  }
  Row.Covered =
      static_cast<double>(From.Compared) / static_cast<double>(Row.Calls);
  Row.WaitNs = std::min(Row.TotalNs, static_cast<int64_t>(From.Wait));
  Row.TransferNs = Row.TotalNs - Row.WaitNs;
  if (From.BusNs > 0)
    Row.BusBytesPerSecond = From.BusBytes / From.BusNs * NsPerSecond;
  return Row;
}

// Whether the operations of traces aren't in their trees, as in PyTorch's own.
bool areOnTraffic(const std::vector<Run> &All) {
  return std::all_of(All.begin(), All.end(), [](const Run &R) {
    return R.By->KeepsEvents &&
           std::none_of(R.Nodes.begin(), R.Nodes.end(),
                        [&](const Node &N) { return communicates(R, N); });
  });
}

// What ranks waited in the operations that were compared, and how long these
// took.
struct ComparedTime {
  double Ns = 0;
  double WaitNs = 0;
};
using ComparedByKey = std::map<RowKey, ComparedTime>;

RowSums &addOperation(const TrafficOperation &Of, const RowKey &Key,
                      size_t Rank, RowsByKey &Rows) {
  RowSums &To = Rows[Key];
  To.Ranks.insert(Rank);
  ++To.Row.Calls;
  ++To.Row.TimedCalls;
  if (Of.Bytes > 0)
    To.Row.Bytes += static_cast<uint64_t>(Of.Bytes);
  To.Row.TotalNs = saturatingAdd(To.Row.TotalNs, lengthOf(unite(Of.Times)));
  return To;
}

void addCompared(const TrafficOperation &Of, int64_t MovingNs, double Factor,
                 const RowKey &Key, RowsByKey &Rows, ComparedByKey &Compared) {
  int64_t Ns = lengthOf(unite(Of.Times));
  Compared[Key].Ns += static_cast<double>(Ns);
  Compared[Key].WaitNs += static_cast<double>(Ns - MovingNs);
  RowSums &To = Rows[Key];
  ++To.Compared;
  if (Factor == 0 || Of.Bytes <= 0)
    return;
  To.BusBytes += Factor * static_cast<double>(Of.Bytes);
  To.BusNs += static_cast<double>(MovingNs);
}

// Kernels that name their operation of a group: those with the same number are
// compared if the whole group is present, each member once.
void addKernels(const std::vector<Run> &All, RowsByKey &Rows,
                ComparedByKey &Compared) {
  struct Instance {
    std::vector<const TrafficOperation *> Of;
    std::set<size_t> Ranks;
  };
  using Number = std::tuple<std::string, std::string, std::string, int64_t>;
  std::map<Number, Instance> Instances;
  for (size_t R = 0; R < All.size(); ++R)
    for (const TrafficOperation &Each : All[R].Exchanged.Kernels) {
      addOperation(Each, {Each.Name, Each.Group}, R, Rows);
      Instance &To =
          Instances[{Each.Group, Each.Ranks, Each.Name, Each.Sequence}];
      To.Of.push_back(&Each);
      To.Ranks.insert(R);
    }
  for (const auto &[Id, Each] : Instances) {
    const TrafficOperation &First = *Each.Of.front();
    if (std::get<3>(Id) < 0 || Each.Ranks.size() != Each.Of.size() ||
        static_cast<int64_t>(Each.Ranks.size()) != First.GroupSize)
      continue;
    int64_t Least = INT64_MAX;
    for (const TrafficOperation *Own : Each.Of)
      Least = std::min(Least, lengthOf(unite(Own->Times)));
    for (const TrafficOperation *Own : Each.Of)
      addCompared(*Own, Least, busFactor(First.Name, Each.Ranks.size()),
                  {First.Name, First.Group}, Rows, Compared);
  }
}

// Host calls with their kernels, compared in order.
void addHostCalls(const std::vector<Run> &All, bool Missing, RowsByKey &Rows,
                  ComparedByKey &Compared) {
  bool CanCompare = !Missing && All.size() > 1 && haveSameCalls(All);
  for (size_t R = 0; R < All.size(); ++R) {
    const std::vector<TrafficOperation> &Calls = All[R].Exchanged.Calls;
    for (size_t C = 0; C < Calls.size(); ++C) {
      const TrafficOperation &Each = Calls[C];
      RowKey Key = {Each.Name, Each.Group};
      addOperation(Each, Key, R, Rows);
      if (!CanCompare)
        continue;
      std::vector<Interval> Moving;
      for (size_t I = 0; I < Each.Times.size(); ++I)
        Moving.push_back(
            {Each.Times[I].End - leastPartNs(All, C, I), Each.Times[I].End});
      addCompared(Each, lengthOf(unite(std::move(Moving))),
                  busFactor(Each.Name, All.size()), Key, Rows, Compared);
    }
  }
}

// The operations of traces, which form one stage.
StageCommunication stageOfTraces(const std::vector<Run> &All, const Stage &S,
                                 bool Missing) {
  StageCommunication Result{S.Id, S.Title, {}, {}};
  RowsByKey Rows;
  ComparedByKey Compared;
  bool HasNumbers = std::any_of(All.begin(), All.end(), [](const Run &R) {
    return std::any_of(R.Exchanged.Kernels.begin(), R.Exchanged.Kernels.end(),
                       [](const auto &Each) { return Each.Sequence >= 0; });
  });
  bool HasKernels = std::any_of(All.begin(), All.end(), [](const Run &R) {
    return !R.Exchanged.Kernels.empty();
  });
  if (HasKernels)
    addKernels(All, Rows, Compared);
  else
    addHostCalls(All, Missing, Rows, Compared);
  for (auto &[Key, Each] : Rows) {
    if (const ComparedTime &Time = Compared[Key]; Time.Ns > 0)
      Each.Wait = static_cast<double>(Each.Row.TotalNs) * Time.WaitNs / Time.Ns;
    Result.Rows.push_back(finished(Key, std::move(Each)));
  }
  if (Compared.empty() || std::none_of(Result.Rows.begin(), Result.Rows.end(),
                                       [](const auto &I) { return I.IsSplit; }))
    Result.Notes.emplace_back(
        HasNumbers || Missing ? "How long ranks waited for each other isn't "
                                "known, because ranks are missing."
        : HasKernels
            ? "How long ranks waited for each other isn't known: the traces "
              "don't number their operations, as newer versions of PyTorch do."
            : "How long ranks waited for each other isn't known: the traces "
              "neither number their operations nor have the same ones in each "
              "step.");
  return Result;
}

void sortByTime(StageCommunication &Of) {
  sortLargestFirst(Of.Rows, &CommunicationRow::TotalNs);
}

StageCommunication stageOf(const std::vector<Run> &All,
                           const std::vector<Stages> &Found, const Stage &S,
                           bool Missing) {
  StageCommunication Result{S.Id, S.Title, {}, {}};
  RowsByKey Rows;
  std::vector<std::vector<bool>> Within;
  for (size_t I = 0; I < All.size(); ++I) {
    Within.push_back(communicationIn(All[I], Found[I], S.Kind));
    addCalls(All[I], I, Within.back(), Rows);
  }
  if (Missing || All.size() < 2) {
    for (auto &[Key, Each] : Rows)
      Each.HasUnsplit = true;
    if (!Rows.empty())
      Result.Notes.emplace_back("How long ranks waited for each other isn't "
                                "known, because ranks are missing.");
  } else {
    for (const MatchedPlace &At : matchPlaces(All, Within)) {
      const Run &R = All[At.Ranks.front()];
      uint32_t First = At.Nodes.front().front();
      auto To = Rows.find(keyOf(R, First));
      if (To == Rows.end())
        continue;
      addSplit(All, At, factorOf(R, R.Nodes[First], At.Ranks.size()),
               To->second);
      if (!At.WhyNot.empty())
        Result.Notes.push_back(At.WhyNot);
    }
  }
  uint64_t OnDevice = 0;
  uint64_t Untimed = 0;
  for (auto &[Key, Each] : Rows) {
    OnDevice += Each.IsOnDevice ? Each.Row.Calls : 0;
    Untimed += Each.Row.Calls - std::min(Each.Row.TimedCalls, Each.Row.Calls);
    Result.Rows.push_back(finished(Key, std::move(Each)));
  }
  if (Untimed != 0)
    Result.Notes.push_back(
        fmt::format("Device time is unknown for {} of NCCL's {}: their kernels "
                    "have no record, or run other operations too.",
                    Untimed, counted(OnDevice, "operation")));
  return Result;
}

// What an operation does, and the share of its input bytes that each rank has
// to send in a ring. The first name found in the operation's name counts.
struct Pattern {
  const char *Name;
  double (*Factor)(double Ranks);
};
constexpr std::array<Pattern, 11> Patterns = {{
    {"allreduce", [](double N) { return 2 * (N - 1) / N; }},
    {"allgatherv", [](double) { return 0.0; }}, // each rank has its own size
    {"alltoallv", [](double) { return 0.0; }},
    {"alltoallw", [](double) { return 0.0; }},
    {"allgather", [](double N) { return N - 1; }},
    {"reducescatter", [](double N) { return (N - 1) / N; }},
    {"alltoall", [](double N) { return (N - 1) / N; }},
    {"broadcast", [](double) { return 1.0; }},
    {"bcast", [](double) { return 1.0; }},
    {"barrier", [](double) { return 0.0; }},
    {"reduce", [](double) { return 1.0; }},
}};
} // namespace

double loopscope::busFactor(std::string_view Operation, uint64_t Ranks) {
  if (Ranks < 2)
    return 0;
  std::string Plain; // "MPI_Reduce_scatter_block" -> "mpireducescatterblock"
  for (char C : Operation)
    if (std::isalnum(static_cast<unsigned char>(C)) != 0)
      Plain += static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
  for (const Pattern &Each : Patterns)
    if (Plain.find(Each.Name) != std::string::npos)
      return Each.Factor(static_cast<double>(Ranks));
  return 0;
}

std::vector<StageCommunication>
loopscope::communicationOf(const std::vector<Run> &All, bool Missing) {
  std::vector<Stages> Found;
  std::vector<StageCommunication> Result;
  for (const Run &R : All)
    Found.push_back(findStages(R));
  bool OnTraffic = areOnTraffic(All);
  for (const Stage &S : stagesOfAll(Found)) {
    StageCommunication Next = OnTraffic ? stageOfTraces(All, S, Missing)
                                        : stageOf(All, Found, S, Missing);
    sortByTime(Next);
    if (!Next.Rows.empty())
      Result.push_back(std::move(Next));
    if (OnTraffic)
      break;
  }
  return Result;
}
