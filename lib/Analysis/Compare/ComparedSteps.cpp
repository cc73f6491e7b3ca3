// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a loop on both sides and divides its steps.

#include "Analysis/Compare/ComparedSteps.h"

#include "Analysis/Account/NestedLoops.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

using namespace loopscope;

namespace {
// A loop in the source.
struct LoopPlace {
  std::string File;
  uint32_t Line = 0;
  bool IsTraining = false;

  auto operator<=>(const LoopPlace &) const = default;
};

LoopPlace placeOf(const Run &R, const LoopAccount &Loop) {
  SourcePlace At = sourcePlace(R, Loop.Site);
  return {std::string(At.first), At.second, Loop.IsTraining};
}

// The longest loop of a side among those that are training, or aren't.
std::optional<LoopPlace> longest(const std::vector<Run> &Runs,
                                 const std::vector<Account> &Accounts,
                                 bool IsTraining) {
  std::map<LoopPlace, int64_t> Ns;
  for (size_t I = 0; I < Runs.size(); ++I)
    for (const LoopAccount &Each : Accounts[I].Loops)
      if (Each.Steps != 0 && Each.IsTraining == IsTraining && !Each.IsNested) {
        int64_t &Sum = Ns[placeOf(Runs[I], Each)];
        Sum = saturatingAdd(Sum, Each.StepNs);
      }
  auto Most = std::ranges::max_element(
      Ns, {}, [](const auto &Each) { return Each.second; });
  return Most == Ns.end() ? std::nullopt : std::optional(Most->first);
}

// The finished time of N that is in none of its children, without the hooks'.
int64_t finishedSelfNs(const Run &R, const Node &N) {
  int64_t Ns = N.FinishedNs - N.HookNs;
  for (uint32_t Child : N.Children)
    Ns -= R.Nodes[Child].FinishedNs;
  return Ns;
}

RunUnits stepsOf(const Run &R, const LoopAccount &Loop) {
  RunUnits Result;
  Result.Of = &R;
  Result.Count = Loop.Steps;
  Result.Roots = Loop.StepNodes;
  if (Loop.NestedNs == 0)
    Result.Spans = Loop.Spans;
  AccountPart Profiler{AccountUse::Profiler, "(profiler)", None, 0, {}};
  for (const AccountPart &Each : Loop.Parts) {
    if (Each.Use != AccountUse::Draw && Each.Use != AccountUse::Phase &&
        Each.Use != AccountUse::Rest)
      continue;
    AccountPart Part = Each;
    Part.Ns = 0;
    for (uint32_t Node : Part.Nodes) {
      Part.Ns = saturatingAdd(Part.Ns, finishedSelfNs(R, R.Nodes[Node]));
      Profiler.Ns = saturatingAdd(Profiler.Ns, R.Nodes[Node].HookNs);
    }
    Result.Ns = saturatingAdd(Result.Ns, Part.Ns);
    Result.Parts.push_back(std::move(Part));
  }
  if (Profiler.Ns != 0) {
    Result.Ns = saturatingAdd(Result.Ns, Profiler.Ns);
    Result.Parts.push_back(std::move(Profiler));
  }
  return Result;
}

SideUnits stepsOf(const std::vector<Run> &Runs,
                  const std::vector<Account> &Accounts, const LoopPlace &At) {
  SideUnits Side;
  Side.AreSteps = true;
  Side.IsTraining = At.IsTraining;
  for (size_t I = 0; I < Runs.size(); ++I)
    for (const LoopAccount &Each : Accounts[I].Loops)
      if (Each.Steps != 0 && !Each.IsNested && placeOf(Runs[I], Each) == At) {
        Side.Place = siteText(Runs[I], Each.Site);
        Side.Runs.push_back(stepsOf(Runs[I], Each));
      }
  return Side;
}

SideUnits runsOf(const std::vector<Run> &Runs, std::vector<Account> Accounts) {
  SideUnits Side;
  for (size_t I = 0; I < Runs.size(); ++I) {
    RunUnits Next;
    Next.Of = &Runs[I];
    Next.Count = 1;
    Next.Ns = Accounts[I].OutsideNs;
    Next.Parts = std::move(Accounts[I].Outside);
    for (const Thread &Each : Runs[I].Threads)
      if (Each.IsMain && Each.Root != None)
        Next.Roots.push_back(Each.Root);
    Side.Runs.push_back(std::move(Next));
  }
  return Side;
}

std::vector<Account> accountsOf(const std::vector<Run> &Runs) {
  std::vector<Account> Result;
  for (const Run &Each : Runs)
    Result.push_back(accountOf(Each));
  return Result;
}
} // namespace

uint64_t SideUnits::count() const {
  uint64_t Sum = 0;
  for (const RunUnits &Each : Runs)
    Sum += Each.Count;
  return Sum;
}

double SideUnits::meanNs() const {
  int64_t Sum = 0;
  for (const RunUnits &Each : Runs)
    Sum = saturatingAdd(Sum, Each.Ns);
  uint64_t Units = count();
  return Units == 0 ? 0 : static_cast<double>(Sum) / static_cast<double>(Units);
}

bool ComparedSteps::hasManySteps() const {
  constexpr uint64_t Many = 30;
  return Before.AreSteps && Before.count() >= Many && After.count() >= Many;
}

Result<ComparedSteps> loopscope::comparedSteps(const std::vector<Run> &Before,
                                               const std::vector<Run> &After) {
  std::vector<Account> Old = accountsOf(Before);
  std::vector<Account> New = accountsOf(After);
  bool HasOld = false;
  bool HasNew = false;
  for (bool IsTraining : {true, false}) {
    std::optional<LoopPlace> OldAt = longest(Before, Old, IsTraining);
    std::optional<LoopPlace> NewAt = longest(After, New, IsTraining);
    if (OldAt && NewAt)
      return ComparedSteps{stepsOf(Before, Old, *OldAt),
                           stepsOf(After, New, *NewAt)};
    HasOld |= OldAt.has_value();
    HasNew |= NewAt.has_value();
  }
  if (HasOld && HasNew)
    return Error{"one side has steps of training alone, the other of "
                 "validation alone"};
  if (HasOld || HasNew)
    return Error{fmt::format(
        "the side {} has no finished step; a mark on the loop over batches "
        "records steps",
        HasOld ? "after" : "before")};
  return ComparedSteps{runsOf(Before, std::move(Old)),
                       runsOf(After, std::move(New))};
}
