// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulated hangs: ranks go through a list of collectives; some stop before one
// of them, and the rest continue until they wait. It is known who waits for
// whom.

#include "Analysis/Ranks/StalledRanks.h"
#include "Analysis/Thresholds.h"
#include "Support/Numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace loopscope;

namespace {
constexpr int64_t NowNs = 1000 * NsPerSecond;

// A collective in the program.
struct Operation {
  uint32_t Line; // of its place; others may share it
  std::string Communicator;
  std::set<int64_t> Ranks;
};

// A rank after DONE operations that is in WAITS for SECONDS, or in the phase
// "load".
struct State {
  std::vector<const Operation *> Done;
  const Operation *Waits = nullptr;
  int64_t Seconds = 0;
};

class RunMaker {
public:
  // Rank RANK, after its loop, in the call NAME of MPI.
  RunMaker(int64_t Rank, const char *Name) : RunMaker(Rank, State()) {
    Made->Nodes.back().Open = false;
    Node &N = add(LOOPSCOPE_KIND_WAIT, Name, "", 0);
    N.Open = true;
    N.EnterNs = NowNs - StalledSeconds * NsPerSecond;
  }

  RunMaker(int64_t Rank, const State &Of) {
    Made->Rank = Rank;
    Made->Ended = End::Running;
    Made->Nodes.resize(1);
    Made->Nodes[0].Open = true;
    Made->Threads.resize(1);
    Made->Threads[0].IsMain = true;
    Made->Threads[0].Root = 0;
    std::map<std::pair<std::string, uint32_t>, uint64_t> Count;
    for (const Operation *Each : Of.Done)
      ++Count[{Each->Communicator, Each->Line}];
    if (Of.Waits != nullptr)
      Count[{Of.Waits->Communicator, Of.Waits->Line}] += 0;
    for (const auto &[Place, Times] : Count) {
      Node &N =
          add(LOOPSCOPE_KIND_COLLECTIVE, "reduce", Place.first, Place.second);
      N.Spans = Moments::fromSums(Times, Times, Times, 0, 1);
      if (Of.Waits != nullptr && Of.Waits->Communicator == Place.first &&
          Of.Waits->Line == Place.second) {
        N.Open = true;
        N.EnterNs = NowNs - Of.Seconds * NsPerSecond;
      }
    }
    if (Of.Waits == nullptr)
      add(LOOPSCOPE_KIND_PHASE, "load", "train.cpp", 12).Open = true;
  }

  // Its last call waits for one at least of RANKS.
  void awaits(const std::vector<int64_t> &Ranks, bool More = false) {
    Made->Threads[0].AwaitingIn = static_cast<uint32_t>(Made->Nodes.size()) - 1;
    Made->Threads[0].Awaited = Ranks;
    Made->Threads[0].AwaitsMore = More;
  }

  std::unique_ptr<Run> Made = std::make_unique<Run>();

private:
  Node &add(loopscope_kind Kind, const char *Name, const std::string &File,
            uint32_t Line) {
    Site S;
    S.Kind = Kind;
    S.Name = Name;
    S.File = File;
    S.Line = Line;
    Node N;
    N.Parent = 0;
    N.Kind = Kind;
    N.Site = static_cast<uint32_t>(Made->Sites.size());
    Made->Sites.push_back(S);
    Made->Nodes[0].Children.push_back(
        static_cast<uint32_t>(Made->Nodes.size()));
    Made->Nodes.push_back(N);
    return Made->Nodes.back();
  }
};

// The nth operation in PROGRAM with RANK; null after the last.
const Operation *next(const std::vector<Operation> &Program, int64_t Rank,
                      size_t Done) {
  for (const Operation &Each : Program)
    if (Each.Ranks.count(Rank) != 0 && Done-- == 0)
      return &Each;
  return nullptr;
}

// Lets all ranks continue as far as they can; STUCK ones don't begin operation
// AT.
std::vector<State> simulated(const std::vector<Operation> &Program,
                             int64_t Ranks, const std::set<int64_t> &Stuck,
                             const Operation *At) {
  std::vector<State> All(static_cast<size_t>(Ranks));
  for (bool Moved = true; Moved;) {
    Moved = false;
    for (int64_t R = 0; R < Ranks; ++R) {
      State &Of = All[static_cast<size_t>(R)];
      const Operation *Next = next(Program, R, Of.Done.size());
      if (Of.Waits == nullptr && Next != nullptr &&
          (Next != At || Stuck.count(R) == 0)) {
        Of.Waits = Next;
        Moved = true;
      }
    }
    for (const Operation &Each : Program)
      if (std::all_of(Each.Ranks.begin(), Each.Ranks.end(), [&](int64_t R) {
            return All[static_cast<size_t>(R)].Waits == &Each;
          }))
        for (int64_t R : Each.Ranks) {
          All[static_cast<size_t>(R)].Done.push_back(&Each);
          All[static_cast<size_t>(R)].Waits = nullptr;
          Moved = true;
        }
  }
  return All;
}

using Found = std::map<std::pair<std::string, std::set<int64_t>>,
                       std::set<int64_t>>; // who waits where, and for whom

std::string communicatorOf(const std::vector<State> &States,
                           const StalledCall &Of) {
  return States[static_cast<size_t>(Of.Waiting.front())].Waits->Communicator;
}
} // namespace

TEST(StalledRanks, RandomHangsAreExplained) {
  size_t Stalls = 0;
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    std::mt19937 Random(Seed);
    auto upTo = [&](int64_t Limit) {
      return static_cast<int64_t>(Random() % static_cast<unsigned>(Limit));
    };
    int64_t Ranks = 2 + upTo(5);
    std::vector<std::set<int64_t>> Groups(3);
    for (int64_t R = 0; R < Ranks; ++R) {
      Groups[0].insert(R);
      Groups[static_cast<size_t>(1 + upTo(2))].insert(R);
    }
    const std::vector<std::string> Names = {"MPI_COMM_WORLD", "communicator 1",
                                            "communicator 2"};
    std::vector<Operation> Program;
    for (int64_t I = 0, Count = 3 + upTo(20); I < Count; ++I) {
      auto Group = static_cast<size_t>(upTo(3));
      if (Groups[Group].size() > 1)
        Program.push_back(
            {static_cast<uint32_t>(10 + upTo(2)), Names[Group], Groups[Group]});
    }
    if (Program.empty())
      continue;
    const Operation *At = &Program[static_cast<size_t>(
        upTo(static_cast<int64_t>(Program.size())))];
    std::set<int64_t> Stuck;
    for (int64_t R : At->Ranks)
      if (Stuck.empty() ||
          (Stuck.size() + 1 < At->Ranks.size() && upTo(3) == 0))
        Stuck.insert(R);
    std::vector<State> States = simulated(Program, Ranks, Stuck, At);
    Found Truth;
    std::vector<RunMaker> Runs;
    std::vector<RankNow> Now;
    for (int64_t R = 0; R < Ranks; ++R) {
      State &Of = States[static_cast<size_t>(R)];
      Of.Seconds = StalledSeconds + upTo(100);
      Runs.emplace_back(R, Of);
      Now.push_back({Runs.back().Made.get(), true, NowNs});
    }
    for (const Operation &Each : Program) {
      std::set<int64_t> Waiting;
      std::set<int64_t> Missing;
      for (int64_t R : Each.Ranks) {
        const State &Of = States[static_cast<size_t>(R)];
        // A rank that was never in a communicator isn't known to belong to it.
        bool IsKnown =
            Each.Communicator == Names[0] ||
            std::any_of(Of.Done.begin(), Of.Done.end(), [&](const auto *Done) {
              return Done->Communicator == Each.Communicator;
            });
        if (Of.Waits == &Each)
          Waiting.insert(R);
        else if (IsKnown)
          Missing.insert(R);
      }
      if (!Waiting.empty() && !Missing.empty())
        Truth[{Each.Communicator, Waiting}] = Missing;
    }
    Found Seen;
    for (const StalledCall &Each : findStalled(Now)) {
      std::set<int64_t> Missing;
      for (const MissingRank &Of : Each.Missing) {
        Missing.insert(Of.Rank);
        bool IsInPhase = States[static_cast<size_t>(Of.Rank)].Waits == nullptr;
        EXPECT_EQ(Of.Phase, IsInPhase ? "load" : "reduce") << "seed " << Seed;
      }
      int64_t Longest = 0;
      for (int64_t R : Each.Waiting)
        Longest = std::max(Longest, States[static_cast<size_t>(R)].Seconds);
      EXPECT_EQ(Each.LongestNs, Longest * NsPerSecond) << "seed " << Seed;
      Seen[{communicatorOf(States, Each),
            {Each.Waiting.begin(), Each.Waiting.end()}}] = Missing;
    }
    EXPECT_EQ(Seen, Truth) << "seed " << Seed;
    Stalls += Truth.size();
  }
  EXPECT_GT(Stalls, 300U);
}

TEST(StalledRanks, ShortWaitsAndEndedRanks) {
  Operation At{10, "MPI_COMM_WORLD", {0, 1}};
  State Waits;
  Waits.Waits = &At;
  Waits.Seconds = StalledSeconds - 1;
  RunMaker First(0, Waits);
  RunMaker Second(1, State());
  std::vector<RankNow> Now = {{First.Made.get(), true, NowNs},
                              {Second.Made.get(), false, NowNs}};
  EXPECT_TRUE(findStalled(Now).empty());
  Now[0].NowNs += NsPerSecond;
  std::vector<StalledCall> All = findStalled(Now);
  ASSERT_EQ(All.size(), 1U);
  EXPECT_EQ(stalledText(All[0]),
            "rank 0 has been in reduce, MPI_COMM_WORLD, for 5 s and waits for "
            "rank 1, which has ended");
}

// A rank that never comes to MPI_Finalize. Other calls of MPI may end without
// it.
TEST(StalledRanks, Finalize) {
  RunMaker First(0, "MPI_Finalize");
  RunMaker Second(1, State());
  RunMaker Third(2, "MPI_Recv");
  std::vector<StalledCall> All = findStalled({{First.Made.get(), true, NowNs},
                                              {Second.Made.get(), true, NowNs},
                                              {Third.Made.get(), true, NowNs}});
  ASSERT_EQ(All.size(), 1U);
  EXPECT_EQ(stalledText(All[0]),
            "rank 0 has been in MPI_Finalize for 5 s and waits for rank 1, "
            "which is in load, train.cpp:12; rank 2, which is in MPI_Recv");
}

// Messages that don't come: two ranks wait for one that is on another host, a
// fourth for one of three, of which one has ended and one has no profile.
TEST(StalledRanks, Messages) {
  std::vector<RunMaker> Runs;
  std::vector<RankNow> Now;
  for (int64_t R : {0, 1, 3, 4}) {
    Runs.emplace_back(R, "MPI_Recv");
    Runs.back().awaits(R == 4   ? std::vector<int64_t>{2, 0, 7}
                       : R == 3 ? std::vector<int64_t>{0}
                                : std::vector<int64_t>{2});
  }
  Runs.emplace_back(2, State());
  Runs.back().Made->Host = "far";
  for (const RunMaker &Each : Runs)
    Now.push_back({Each.Made.get(), Each.Made->Rank != 2, NowNs});
  std::vector<std::string> Lines;
  for (const StalledCall &Each : findStalled(Now))
    Lines.push_back(stalledText(Each));
  EXPECT_EQ(
      Lines,
      (std::vector<std::string>{
          "ranks 0, 1 have been in MPI_Recv for 5 s and wait for rank 2 on "
          "far, which has ended",
          "rank 4 has been in MPI_Recv for 5 s and waits for at least one of: "
          "rank 2 on far, which has ended; rank 0, which is in MPI_Recv; rank "
          "7, of which there is no profile",
          "rank 3 has been in MPI_Recv for 5 s and waits for rank 0, which is "
          "in MPI_Recv"}));
  Runs[0].Made->Threads[0].Awaited = {Thread::Any};
  Runs[1].awaits({2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, true);
  Lines.clear();
  for (const StalledCall &Each : findStalled(Now))
    Lines.push_back(stalledText(Each));
  EXPECT_EQ(Lines,
            (std::vector<std::string>{
                "rank 1 has been in MPI_Recv for 5 s and waits for at least "
                "one of: rank 2 on far, which has ended; rank 3, which is in "
                "MPI_Recv; rank 4, which is in MPI_Recv; rank 5, of which "
                "there is no profile; and at least 9 more",
                "rank 4 has been in MPI_Recv for 5 s and waits for at least "
                "one of: rank 2 on far, which has ended; rank 0, which is in "
                "MPI_Recv; rank 7, of which there is no profile",
                "rank 0 has been in MPI_Recv for 5 s and waits for a message "
                "from any rank",
                "rank 3 has been in MPI_Recv for 5 s and waits for rank 0, "
                "which is in MPI_Recv"}));
}

// A run that was killed, one that may still be running, and a rank that left.
TEST(StalledRanks, WhereARunEnded) {
  Operation At{10, "MPI_COMM_WORLD", {0, 1}};
  State Waits;
  Waits.Waits = &At;
  Waits.Seconds = 1;
  RunMaker First(0, Waits);
  RunMaker Second(1, State());
  First.Made->Ended = Second.Made->Ended = End::Gone;
  First.Made->WallNs = Second.Made->WallNs = NowNs;
  std::vector<loopscope::Run> All = {*First.Made, *Second.Made};
  EXPECT_EQ(unfinishedText(All),
            "When the run ended, rank 0 was in reduce, MPI_COMM_WORLD, and "
            "waited for rank 1, which was in load, train.cpp:12.");
  All[1].Ended = End::Exited;
  EXPECT_EQ(unfinishedText(All),
            "When the run ended, rank 0 was in reduce, MPI_COMM_WORLD, and "
            "waited for rank 1, which had ended.");
  // Its library gave up, and called exit() in the collective.
  All[0].Ended = End::Exited;
  EXPECT_EQ(unfinishedText(All),
            "When the run ended, rank 0 was in reduce, MPI_COMM_WORLD, and "
            "waited for rank 1, which had ended.");
  All[0].Ended = End::Running;
  EXPECT_EQ(unfinishedText(All), "");
}

// Rank 1 hasn't left the collective before, which rank 2 left and then died.
TEST(StalledRanks, ARankThatWaitsIsNotAwaitedFirst) {
  Operation At{10, "MPI_COMM_WORLD", {0, 1, 2}};
  State Ahead;
  Ahead.Done = {&At};
  Ahead.Waits = &At;
  State Before;
  Before.Waits = &At;
  State Died;
  Died.Done = {&At};
  std::vector<loopscope::Run> All;
  for (const State *Each : {&Ahead, &Before, &Died}) {
    RunMaker Next(static_cast<int64_t>(All.size()), *Each);
    Next.Made->Ended = End::Gone;
    Next.Made->WallNs = NowNs;
    All.push_back(*Next.Made);
  }
  EXPECT_EQ(unfinishedText(All),
            "When the run ended, rank 0 was in reduce, MPI_COMM_WORLD, and "
            "waited for rank 2, which was in load, train.cpp:12, and for 1 "
            "more.");
}
