// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sample counts on its whole call path, once for each name on it.

#include "Analysis/Device/DeviceRows.h"

#include "Analysis/Tree/FlatRows.h"

#include <algorithm>
#include <unordered_map>

using namespace loopscope;

namespace {
// Which nodes belong to a stage, and which rows they go into.
struct Placement {
  std::vector<bool> Within;  // the stage, or one that runs in it
  std::vector<size_t> RowOf; // by node; NoDeviceRow if it has none
};
constexpr size_t NoDeviceRow = static_cast<size_t>(-1);

class StageSummer {
public:
  StageSummer(const Run &R, const Stages &All, const Stage &S)
      : R(R), All(All), S(S) {
    Result.Of = S;
    Result.Total = emptyRow("Total");
    for (const FlatRow &Each : flatten(R, All, S).Rows) {
      Index.emplace(Each.Name, Result.Rows.size());
      Result.Rows.push_back(emptyRow(Each.Name));
    }
    place();
  }

  DeviceStage run(std::vector<bool> &Used);

private:
  DeviceRow emptyRow(std::string Name) const {
    return {std::move(Name), std::vector<SampleSum>(R.Devices.Metrics.size())};
  }
  void place();
  bool holds(const MetricSum &Sum) const;

  const Run &R;
  const Stages &All;
  const Stage &S;
  DeviceStage Result;
  std::unordered_map<std::string, size_t> Index; // of Result.Rows
  Placement Places;
};
} // namespace

void SampleSum::add(const MetricSum &S) {
  Max = Count == 0 ? S.Max : std::max(Max, S.Max);
  Count += S.Count;
  Sum += S.Sum;
}

// Parents come before children, so that a name's enclosing row is known.
void StageSummer::place() {
  Places.Within.assign(R.Nodes.size(), false);
  Places.RowOf.assign(R.Nodes.size(), NoDeviceRow);
  std::vector<size_t> Around(R.Nodes.size(), NoDeviceRow);
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    uint32_t Parent = R.Nodes[I].Parent;
    bool InParent = Parent != None && S.Kind != LOOPSCOPE_KIND_ROOT &&
                    Places.Within[Parent];
    Places.Within[I] = InParent || All.Of[I] == S.Kind;
    Around[I] = Parent == None ? NoDeviceRow : Around[Parent];
    std::optional<std::string> Name = flatName(
        R, All, S, I,
        Around[I] == NoDeviceRow ? std::string() : Result.Rows[Around[I]].Name);
    if (!Name)
      continue;
    auto Found = Index.find(*Name);
    if (Found != Index.end())
      Around[I] = Places.RowOf[I] = Found->second;
  }
}

// A run without annotated stages is one stage, including what came before the
// first span.
bool StageSummer::holds(const MetricSum &Sum) const {
  if (Sum.Node == None)
    return All.Implicit || S.Kind == LOOPSCOPE_KIND_ROOT;
  return Places.Within[Sum.Node];
}

DeviceStage StageSummer::run(std::vector<bool> &Used) {
  std::vector<size_t> LastSum(Result.Rows.size(), NoDeviceRow);
  for (size_t I = 0; I < R.Devices.Sums.size(); ++I) {
    const MetricSum &Sum = R.Devices.Sums[I];
    if (holds(Sum)) {
      Result.Total.Metrics[Sum.Metric].add(Sum);
      Used[I] = true;
    }
    // A name that recurs on the path (recursion) counts once.
    for (uint32_t At = Sum.Node; At != None; At = R.Nodes[At].Parent) {
      size_t Row = Places.RowOf[At];
      if (Row == NoDeviceRow || LastSum[Row] == I)
        continue;
      LastSum[Row] = I;
      Result.Rows[Row].Metrics[Sum.Metric].add(Sum);
    }
  }
  Result.Unseen = static_cast<unsigned>(
      std::erase_if(Result.Rows, [](const DeviceRow &Each) {
        return std::all_of(Each.Metrics.begin(), Each.Metrics.end(),
                           [](const SampleSum &M) { return M.Count == 0; });
      }));
  return std::move(Result);
}

DeviceStages loopscope::sumDevices(const Run &R) {
  DeviceStages Result;
  Stages All = findStages(R);
  std::vector<bool> Used(R.Devices.Sums.size(), false);
  for (const Stage &S : All.List) {
    DeviceStage Next = StageSummer(R, All, S).run(Used);
    bool HasSamples =
        std::any_of(Next.Total.Metrics.begin(), Next.Total.Metrics.end(),
                    [](const SampleSum &M) { return M.Count != 0; });
    if (HasSamples || !Next.Rows.empty())
      Result.List.push_back(std::move(Next));
  }
  std::vector<uint64_t> Left(R.Devices.Metrics.size(), 0);
  for (size_t I = 0; I < Used.size(); ++I)
    if (!Used[I])
      Left[R.Devices.Sums[I].Metric] += R.Devices.Sums[I].Count;
  if (!Left.empty())
    Result.Outside = *std::max_element(Left.begin(), Left.end());
  return Result;
}
