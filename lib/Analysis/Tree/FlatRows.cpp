// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One walk over the trees; rows are looked up by name.

#include "Analysis/Tree/FlatRows.h"

#include "Analysis/Tree/UsefulTime.h"
#include "Support/Order.h"

#include <algorithm>
#include <unordered_map>

using namespace loopscope;

namespace {
constexpr size_t NoRow = static_cast<size_t>(-1);

class Flattener {
public:
  Flattener(const Run &R, const GpuByNode *Gpu, const Stages &All,
            const Stage &S)
      : R(R), Gpu(Gpu), All(All), S(S), Waiting(waitingTimes(R)),
        Useless(uselessTimes(R)) {}

  FlatRows run() {
    for (uint32_t T = 0; T < R.Threads.size(); ++T) {
      size_t CallsBefore = Visited;
      RanStage = false;
      if (R.Threads[T].Root != None)
        walk(R.Threads[T].Root);
      Result.OwnTrees += RanStage;
      Result.OwnMainTrees += RanStage && R.Threads[T].IsMain;
      if (Visited == CallsBefore)
        continue;
      Result.Threads += R.Threads[T].Users;
      if (!RanStage)
        Result.OtherThreads += R.Threads[T].Users;
    }
    sortLargestFirst(Result.Rows, &FlatRow::TotalNs);
    addGpu();
    Result.UnaccountedNs = std::max<int64_t>(0, S.WallNs - CoveredNs);
    return std::move(Result);
  }

private:
  // A node on the path from the root: its next child to visit, the row that it
  // is or is in, and whether it counts as the stage's own time.
  struct Frame {
    uint32_t Node;
    size_t Next;
    size_t Row;
    bool IsRow;
    bool InStage;
  };

  void walk(uint32_t Root);
  Frame enter(uint32_t Index, size_t Around, bool InStage);
  size_t rowOf(const std::string &Name);
  void add(size_t Row, uint32_t Index, bool InStage, bool IsOutermost);
  void addGpu();

  const Run &R;
  const GpuByNode *Gpu; // null where nobody asks
  const Stages &All;
  const Stage &S;
  std::vector<int64_t> Waiting, Useless; // by node
  FlatRows Result;
  std::unordered_map<std::string, size_t> RowByName;
  std::vector<unsigned> OpenRows; // per row: how many of it are on the way
  int64_t CoveredNs = 0;
  size_t Visited = 0;
  bool RanStage = false; // the stage ran on the thread being walked
};
} // namespace

size_t Flattener::rowOf(const std::string &Name) {
  auto [Found, IsNew] = RowByName.try_emplace(Name, Result.Rows.size());
  if (IsNew) {
    Result.Rows.push_back({});
    Result.Rows.back().Name = Name;
    OpenRows.push_back(0);
  }
  return Found->second;
}

void Flattener::add(size_t Row, uint32_t Index, bool InStage,
                    bool IsOutermost) {
  const Node &N = R.Nodes[Index];
  FlatRow &To = Result.Rows[Row];
  To.Nodes.push_back(Index);
  To.Calls += N.Spans.count();
  To.EndedEarly += N.EndedEarly;
  To.FinishedNs = saturatingAdd(To.FinishedNs, N.FinishedNs);
  To.SelfNs = saturatingAdd(To.SelfNs, N.SelfNs);
  To.Spans.merge(N.Spans);
  if (OpenRows[Row]++ == 0) {
    To.TotalNs = saturatingAdd(To.TotalNs, N.InclusiveNs);
    To.Cpu.add(N.Cpu);
    To.CountedNs = saturatingAdd(To.CountedNs, N.countedNs());
    To.WaitingNs = saturatingAdd(To.WaitingNs, Waiting[Index]);
    To.UselessNs = saturatingAdd(To.UselessNs, Useless[Index]);
    if (Gpu)
      To.Gpu.add(Gpu->inclusive(Index));
  } else {
    To.Recursive = true;
  }
  if (InStage && IsOutermost)
    CoveredNs = saturatingAdd(CoveredNs, N.InclusiveNs);
  ++Visited;
}

Flattener::Frame Flattener::enter(uint32_t Index, size_t Around, bool InStage) {
  const Node &N = R.Nodes[Index];
  Frame Result{Index, 0, Around, false, InStage};
  if (N.Parent == None) {
    // Time outside all stages, or of a run without stages, belongs to the main
    // thread.
    bool WholeRun = All.Implicit || S.Kind == LOOPSCOPE_KIND_ROOT;
    Result.InStage = RanStage = WholeRun && R.Threads[N.Thread].IsMain;
    if (Gpu && WholeRun)
      this->Result.UnaccountedGpu.add(Gpu->own(Index));
    return Result;
  }
  if (isStage(N.Kind) && N.Kind == S.Kind)
    Result.InStage = RanStage = true;
  std::optional<std::string> Name = flatName(
      R, All, S, Index, Around == NoRow ? "" : this->Result.Rows[Around].Name);
  if (!Name) {
    if (Around != NoRow && All.Of[Index] == S.Kind) {
      FlatRow &To = this->Result.Rows[Around];
      To.SelfNs = saturatingAdd(To.SelfNs, N.SelfNs);
    } else if (Gpu && All.Of[Index] == S.Kind) {
      this->Result.UnaccountedGpu.add(Gpu->own(Index));
    }
    return Result;
  }
  Result.Row = rowOf(*Name);
  Result.IsRow = true;
  add(Result.Row, Index, Result.InStage, Around == NoRow);
  return Result;
}

void Flattener::walk(uint32_t Root) {
  std::vector<Frame> Way = {enter(Root, NoRow, false)};
  while (!Way.empty()) {
    Frame &Top = Way.back();
    const std::vector<uint32_t> &Children = R.Nodes[Top.Node].Children;
    if (Top.Next < Children.size()) {
      uint32_t Child = Children[Top.Next++];
      Way.push_back(enter(Child, Top.Row, Top.InStage));
      continue;
    }
    if (Top.IsRow)
      --OpenRows[Top.Row];
    Way.pop_back();
  }
}

std::optional<std::string> loopscope::flatName(const Run &R, const Stages &All,
                                               const Stage &S, uint32_t Index,
                                               const std::string &Enclosing) {
  const Node &N = R.Nodes[Index];
  if (N.Parent == None)
    return std::nullopt;
  if (!isStage(N.Kind))
    return All.Of[Index] == S.Kind ? simpleName(R, N, S.Kind, Enclosing)
                                   : std::nullopt;
  // Another stage, run from within this one.
  bool IsOther = N.Kind != S.Kind && S.Kind != LOOPSCOPE_KIND_ROOT &&
                 All.Of[N.Parent] == S.Kind;
  return IsOther ? std::optional<std::string>(kindWord(N.Kind)) : std::nullopt;
}

// A stage's GPU figures cover everything that ran in it, including nested
// stages.
void Flattener::addGpu() {
  if (!Gpu || !Gpu->hasData())
    return;
  std::vector<bool> Within(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Within[I] = All.Of[I] == S.Kind || (S.Kind != LOOPSCOPE_KIND_ROOT &&
                                        N.Parent != None && Within[N.Parent]);
    if (Within[I])
      Result.Gpu.add(Gpu->own(I));
  }
  if (All.Implicit)
    Result.Gpu.add(Gpu->unlaunched());
}

FlatRows loopscope::flatten(const Run &R, const GpuByNode &Gpu,
                            const Stages &All, const Stage &S) {
  return Flattener(R, &Gpu, All, S).run();
}

FlatRows loopscope::flatten(const Run &R, const Stages &All, const Stage &S) {
  return Flattener(R, nullptr, All, S).run();
}
