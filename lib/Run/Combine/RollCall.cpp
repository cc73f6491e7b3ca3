// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups files by run id and time, and finds a group's contradictions.

#include "Run/Combine/RollCall.h"

#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

using namespace loopscope;

namespace {
using Infos = std::vector<const RunInfo *>;

// As many as fit in a sentence.
constexpr size_t NamesAtMost = 4;

int64_t endNs(const RunInfo &Of) {
  return saturatingAdd(Of.StartRealtimeNs, Of.WallNs);
}

bool hasRankTwice(const std::vector<size_t> &Files, const Infos &All) {
  std::set<int64_t> Seen;
  for (size_t Each : Files)
    if (All[Each]->Rank >= 0 && !Seen.insert(All[Each]->Rank).second)
      return true;
  return false;
}

// Splits the files of one id, which may belong to several consecutive runs if
// some rank occurs twice: a process that starts after all others have ended, or
// after its own rank has, belongs to the next run.
std::vector<RankSet> cutByTime(std::vector<size_t> Files, const Infos &All) {
  std::stable_sort(Files.begin(), Files.end(), [&](size_t A, size_t B) {
    return All[A]->StartRealtimeNs < All[B]->StartRealtimeNs;
  });
  bool Cuts = hasRankTwice(Files, All);
  std::vector<RankSet> Runs;
  std::map<int64_t, int64_t> EndOf; // of the ranks of the last run
  int64_t LastEndNs = 0;
  for (size_t Each : Files) {
    const RunInfo &Of = *All[Each];
    auto Before = EndOf.find(Of.Rank);
    bool IsNext = Cuts && Of.StartRealtimeNs > 0 &&
                  (LastEndNs <= Of.StartRealtimeNs ||
                   (Of.Rank >= 0 && Before != EndOf.end() &&
                    Before->second <= Of.StartRealtimeNs));
    if (Runs.empty() || IsNext) {
      Runs.emplace_back();
      EndOf.clear();
      LastEndNs = 0;
    }
    Runs.back().Files.push_back(Each);
    Runs.back().StartRealtimeNs = Of.StartRealtimeNs;
    EndOf[Of.Rank] = std::max(EndOf[Of.Rank], endNs(Of));
    LastEndNs = std::max(LastEndNs, endNs(Of));
  }
  return Runs;
}

// How many ranks the files of ONE say there are; 0 if they disagree or don't
// say.
int64_t sizeOf(const RankSet &One, const Infos &All) {
  int64_t Size = All[One.Files.front()]->WorldSize;
  for (size_t Each : One.Files)
    if (All[Each]->WorldSize != Size || All[Each]->Rank < 0)
      return 0;
  return Size;
}

// When the first of ONE's processes started and the last of them ended.
std::pair<int64_t, int64_t> spanOf(const RankSet &One, const Infos &All) {
  int64_t FirstNs = INT64_MAX;
  int64_t LastNs = INT64_MIN;
  for (size_t Each : One.Files) {
    FirstNs = std::min(FirstNs, All[Each]->StartRealtimeNs);
    LastNs = std::max(LastNs, endNs(*All[Each]));
  }
  return {FirstNs, LastNs};
}

// Joins all of PARTS into one if each rank occurs once; otherwise leaves them
// separate.
void appendJoined(std::vector<RankSet> &To, std::vector<RankSet> Parts,
                  const Infos &All) {
  RankSet Whole;
  for (const RankSet &Each : Parts) {
    Whole.Files.insert(Whole.Files.end(), Each.Files.begin(), Each.Files.end());
    Whole.StartRealtimeNs =
        std::max(Whole.StartRealtimeNs, Each.StartRealtimeNs);
  }
  if (Parts.size() < 2 || hasRankTwice(Whole.Files, All)) {
    std::move(Parts.begin(), Parts.end(), std::back_inserter(To));
    return;
  }
  Whole.Notes.push_back(
      fmt::format("No launcher named this run; {} are taken together because "
                  "they ran at the same time and each rank appears once.",
                  counted(Whole.Files.size(), "process")));
  To.push_back(std::move(Whole));
}

// A run whose launcher has no name for it has one id per host, or one per rank
// if each rank runs in a script of its own. Joins those sets of RUNS that have
// such ids, have the same number of ranks, and overlap in time.
std::vector<RankSet> joinParts(std::vector<RankSet> Runs, const Infos &All) {
  std::vector<RankSet> Result;
  std::map<int64_t, std::vector<RankSet>> BySize;
  for (RankSet &Each : Runs)
    if (int64_t Size = sizeOf(Each, All);
        Size > 0 &&
        All[Each.Files.front()]->RunId.starts_with(LOOPSCOPE_RUN_ID_PARENT))
      BySize[Size].push_back(std::move(Each));
    else
      Result.push_back(std::move(Each));
  for (auto &[Size, Sets] : BySize) {
    std::stable_sort(Sets.begin(), Sets.end(),
                     [&](const RankSet &A, const RankSet &B) {
                       return spanOf(A, All).first < spanOf(B, All).first;
                     });
    std::vector<RankSet> Parts;
    int64_t LastNs = INT64_MIN;
    for (RankSet &Each : Sets) {
      auto [FirstNs, EndNs] = spanOf(Each, All);
      if (FirstNs >= LastNs) {
        appendJoined(Result, std::move(Parts), All);
        Parts.clear();
      }
      LastNs = std::max(LastNs, EndNs);
      Parts.push_back(std::move(Each));
    }
    appendJoined(Result, std::move(Parts), All);
  }
  return Result;
}

std::string pathsOf(const std::vector<size_t> &Files, const Infos &All) {
  std::string Text;
  for (size_t I = 0; I < Files.size() && I < NamesAtMost; ++I)
    Text += (I == 0 ? "" : ", ") + All[Files[I]]->Path;
  if (Files.size() > NamesAtMost)
    Text += fmt::format(" and {} more", Files.size() - NamesAtMost);
  return Text;
}

// Where a wrong rank may come from.
std::string sourceHint(const RunInfo &Of) {
  return Of.RankSource.empty()
             ? std::string()
             : fmt::format("; the variable {} says so", Of.RankSource);
}

void findDoubles(RankSet &In, const Infos &All) {
  std::map<int64_t, std::vector<size_t>> ByRank;
  for (size_t Each : In.Files)
    if (All[Each]->Rank >= 0)
      ByRank[All[Each]->Rank].push_back(Each);
  for (const auto &[Rank, Files] : ByRank) {
    if (Files.size() < 2)
      continue;
    In.Doubtful.insert(In.Doubtful.end(), Files.begin(), Files.end());
    In.Notes.push_back(fmt::format(
        "{} processes claim to be rank {}: {}{}. Their files tell them apart.",
        Files.size(), Rank, pathsOf(Files, All),
        sourceHint(*All[Files.front()])));
  }
}

void compareSizes(RankSet &In, const Infos &All) {
  std::set<int64_t> Sizes;
  std::set<int64_t> Present;
  for (size_t Each : In.Files) {
    const RunInfo &Of = *All[Each];
    if (Of.WorldSize > 0)
      Sizes.insert(Of.WorldSize);
    if (Of.Rank >= 0)
      Present.insert(Of.Rank);
    if (Of.WorldSize > 0 && Of.Rank >= Of.WorldSize) {
      In.Doubtful.push_back(Each);
      In.Notes.push_back(
          fmt::format("{} claims to be rank {} of {}, which is impossible{}.",
                      Of.Path, Of.Rank, Of.WorldSize, sourceHint(Of)));
    }
  }
  if (Sizes.empty())
    return;
  if (Sizes.size() > 1) {
    In.Notes.push_back(
        fmt::format("The ranks disagree on how many there are: {}.",
                    rangesText({Sizes.begin(), Sizes.end()})));
    return;
  }
  std::vector<int64_t> Missing;
  for (int64_t Rank = 0; Rank < *Sizes.begin() && Missing.size() <= 65536;
       ++Rank)
    if (Present.count(Rank) == 0)
      Missing.push_back(Rank);
  if (!Missing.empty())
    In.Notes.push_back(
        fmt::format("{} of {} {} missing: {}.", counted(Missing.size(), "rank"),
                    *Sizes.begin(), Missing.size() == 1 ? "is" : "are",
                    rangesText(Missing)));
}
} // namespace

std::string loopscope::rangesText(std::vector<int64_t> Numbers) {
  constexpr size_t RangesAtMost = 8;
  std::sort(Numbers.begin(), Numbers.end());
  Numbers.erase(std::unique(Numbers.begin(), Numbers.end()), Numbers.end());
  std::string Text;
  size_t Ranges = 0;
  for (size_t I = 0; I < Numbers.size(); ++Ranges) {
    size_t Last = I;
    while (Last + 1 < Numbers.size() && Numbers[Last + 1] == Numbers[Last] + 1)
      ++Last;
    if (Ranges == RangesAtMost)
      return Text + fmt::format(" and {} more", Numbers.size() - I);
    Text += Text.empty() ? "" : ", ";
    if (Last == I + 1)
      Last = I; // two neighbours are two numbers
    Text += Last == I ? fmt::format("{}", Numbers[I])
                      : fmt::format("{} to {}", Numbers[I], Numbers[Last]);
    I = Last + 1;
  }
  return Text;
}

RollCall loopscope::callRoll(const Infos &All) {
  RollCall Result;
  std::map<std::string, std::vector<size_t>> ById;
  for (size_t I = 0; I < All.size(); ++I)
    if (All[I]->Forked)
      Result.Forked.push_back(I);
    else
      ById[All[I]->RunId].push_back(I);
  for (auto &[Id, Files] : ById)
    for (RankSet &Each : cutByTime(std::move(Files), All))
      Result.Runs.push_back(std::move(Each));
  Result.Runs = joinParts(std::move(Result.Runs), All);
  for (RankSet &Each : Result.Runs) {
    findDoubles(Each, All);
    compareSizes(Each, All);
    std::stable_sort(
        Each.Files.begin(), Each.Files.end(),
        [&](size_t A, size_t B) { return All[A]->Rank < All[B]->Rank; });
  }
  sortLargestFirst(Result.Runs, &RankSet::StartRealtimeNs);
  return Result;
}

bool loopscope::lacksRanks(const std::vector<Run> &All) {
  std::set<int64_t> Present;
  int64_t Size = 0;
  for (const Run &R : All) {
    Present.insert(R.Rank);
    Size = std::max(Size, R.WorldSize);
  }
  return Present.size() < All.size() ||
         static_cast<int64_t>(Present.size()) < Size;
}
