// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the order of work is certain: what can still arrive, and the unions and
// waits at that time.

#include "GpuFixture.h"

#include <loopscope/profile_counters.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t NoBuffer = UINT64_MAX;

class OutstandingTest : public testing::Test {
protected:
  OutstandingTest() { EXPECT_TRUE(Calls.create()); }

  void launch(uint32_t Id, uint64_t Start,
              RecordsOfCall Brings = RecordsOfCall::One, bool NoWork = false) {
    Calls.begin(Id, A, Start, Brings);
    Calls.end(Id, Start + 5, NoWork);
  }
  void arrive(uint32_t Id) {
    Launch Found = {};
    EXPECT_TRUE(Missing.arrived(Id, Found));
  }
  // Makes N launches whose records arrive immediately.
  void pass(uint64_t N) {
    for (uint64_t I = 0; I < N; ++I) {
      launch(++LastId, 1000000);
      arrive(LastId);
      if (I % 1000 == 0)
        Missing.look(2000000, NoBuffer);
    }
  }

  Launches Calls;
  Outstanding Missing{Calls};
  uint32_t LastId = 1000;
};

TEST_F(OutstandingTest, NothingIsEarlierThanTheFirstLaunchWithoutItsRecord) {
  EXPECT_EQ(Missing.look(50, NoBuffer), 50U);
  launch(1, 100);
  launch(2, 90); // by another thread
  launch(3, 110);
  EXPECT_EQ(Missing.look(200, 10), 90U);
  arrive(2);
  EXPECT_EQ(Missing.look(200, 10), 100U);
  arrive(3);
  EXPECT_EQ(Missing.look(200, 10), 100U);
  EXPECT_EQ(Missing.size(10), 1U);
  arrive(1);
  EXPECT_EQ(Missing.look(200, 10), 200U);
}

TEST_F(OutstandingTest, ARecordMayArriveBeforeItsLaunchIsSeen) {
  launch(1, 100);
  arrive(1);
  EXPECT_EQ(Missing.look(200, 10), 200U);
}

TEST_F(OutstandingTest, RejectedAndCapturedLaunchesBringNothing) {
  launch(1, 100, RecordsOfCall::One, true);
  Calls.begin(2, A, 120, RecordsOfCall::One); // hasn't returned
  EXPECT_EQ(Missing.look(200, 10), 120U);
  Calls.end(2, 130, true);
  EXPECT_EQ(Missing.look(200, 10), 200U);
}

TEST_F(OutstandingTest, ARecordOfAnInnerCallBelongsToTheOuterCall) {
  Calls.begin(7, A, 100, RecordsOfCall::One);
  Calls.begin(8, A, 100, RecordsOfCall::None, false, 7);
  arrive(8);
  EXPECT_EQ(Missing.look(200, 10), 200U);
}

TEST_F(OutstandingTest, AGraphsRecordsMayComeUntilItsBuffersAreBack) {
  launch(1, 100, RecordsOfCall::Several);
  arrive(1);
  EXPECT_EQ(Missing.look(200, 105), 100U);
  EXPECT_EQ(Missing.look(200, 106), 200U); // given to CUPTI after the launch
}

TEST_F(OutstandingTest, ALaunchWithoutARecordIsGivenUpWhenOthersOvertakeIt) {
  launch(1, 100);
  EXPECT_EQ(Missing.look(200, NoBuffer), 100U);
  pass(Outstanding::Patience);
  EXPECT_EQ(Missing.look(2000000, NoBuffer), 100U);
  pass(1);
  EXPECT_EQ(Missing.look(2000000, NoBuffer), 2000000U);
}

TEST_F(OutstandingTest, WaitsForALongKernelWhileItsBufferIsOut) {
  launch(1, 100);
  EXPECT_EQ(Missing.look(200, 50), 100U);
  // More than the table of launches keeps.
  for (uint32_t I = 0; I < Launches::Size + 10; ++I) {
    launch(++LastId, 1000000);
    arrive(LastId);
    if (I % 1000 == 0) {
      EXPECT_EQ(Missing.look(2000000, 50), 100U);
    }
  }
  Launch Found = {};
  EXPECT_FALSE(Calls.find(1, Found));
  EXPECT_EQ(Missing.look(2000000, 50), 100U);
  ASSERT_TRUE(Missing.arrived(1, Found));
  EXPECT_EQ(Found.Node, A);
  EXPECT_EQ(Missing.look(2000000, 50), 2000000U);
}

// More than the table of launches keeps, so that all of them are visited
// repeatedly, and some have left the table by then.
TEST_F(OutstandingTest, ManyOpenLaunchesAgreeWithAFullSearch) {
  std::mt19937 Random(20261123);
  std::map<uint32_t, uint64_t> Open; // start by id
  std::vector<uint32_t> Returning;
  uint64_t Time = 1000;
  for (uint32_t Look = 0; Look < 700; ++Look) {
    for (uint32_t I = Random() % 2000; I != 0; --I) {
      Time += Random() % 3;
      uint64_t Start = Time - Random() % 50; // several threads
      uint32_t Id = ++LastId;
      Calls.begin(Id, A, Start, RecordsOfCall::One);
      Open[Id] = Start;
      if (Random() % 10 == 0)
        Returning.push_back(Id);
      else
        Calls.end(Id, Start + 5, false);
    }
    for (uint32_t Id : Returning) {
      Launch Found{};
      bool Failed = Random() % 3 == 0;
      ASSERT_TRUE(Calls.find(Id, Found));
      Calls.end(Id, Found.Start + 40, Failed);
      if (Failed)
        Open.erase(Id);
    }
    Returning.clear();
    // Most arrive in order, some late, and one in a thousand much later.
    size_t Left = Random() % 3000;
    for (auto At = Open.begin(); At != Open.end() && Open.size() > Left;)
      if (LastId - At->first < 600000 && At->first % 1000 == 7) {
        ++At;
      } else if (Random() % 8 == 0) {
        ++At;
      } else {
        arrive(At->first);
        At = Open.erase(At);
      }
    uint64_t Earliest = Time + 100;
    for (auto [Id, Start] : Open)
      Earliest = std::min(Earliest, Start);
    ASSERT_EQ(Missing.look(Time + 100, 10), Earliest) << Look;
    if (Look % 100 == 0) {
      ASSERT_EQ(Missing.size(10), Open.size());
    }
  }
}

TEST_F(OutstandingTest, WaitsForALimitedNumber) {
  for (uint32_t Id = 1; Id <= 2 * Outstanding::MostOpen; ++Id) {
    launch(Id, 100 + Id);
    if (Id % 1000 == 0) {
      EXPECT_EQ(Missing.look(200, 10), 101U);
    }
  }
  EXPECT_LE(Missing.size(10), Outstanding::MostOpen + Outstanding::MostOld);
  EXPECT_GE(Missing.size(10), Outstanding::MostOpen);
}

TEST_F(OutstandingTest, IdsWrapAround) {
  launch(UINT32_MAX - 1, 100);
  launch(UINT32_MAX, 110);
  launch(1, 120);
  launch(2, 130);
  EXPECT_EQ(Missing.look(200, 10), 100U);
  for (uint32_t Id : {UINT32_MAX - 1, UINT32_MAX, 1U})
    arrive(Id);
  EXPECT_EQ(Missing.look(200, 10), 130U);
}

TEST_F(GpuTest, LongKernelsLateRecordsAndManyStreamsGiveTheTrueUnions) {
  // Random work of ten call paths, which arrives in random order. The unions of
  // random sets of paths are compared with slowly computed ones.
  std::mt19937 Random(20261122);
  constexpr uint32_t Paths = 10;
  struct Piece {
    uint32_t Node;
    uint64_t Start, End;
    bool IsKernel;
    uint32_t Name; // of a kernel
  };
  static const char *const Names[] = {"a", "b", "c"};
  std::vector<Piece> Pieces;
  for (uint32_t I = 1; I <= Paths; ++I)
    call(I, I);
  for (int I = 0; I < 2000; ++I) {
    uint64_t Start = 2000 + Random() % 100000;
    uint64_t Length = I % 100 == 0 ? Random() % 50000 : Random() % 40;
    Pieces.push_back({static_cast<uint32_t>(1 + Random() % Paths), Start,
                      Start + Length, Random() % 3 != 0,
                      static_cast<uint32_t>(Random() % 3)});
  }
  std::shuffle(Pieces.begin(), Pieces.end(), Random);
  for (const Piece &P : Pieces)
    if (P.IsKernel) {
      DeviceWork Kernel = kernel(P.Node, P.Start, P.End);
      Kernel.Name = Names[P.Name];
      add(Kernel);
    } else {
      add(copy(P.Node, P.Start, P.End));
    }
  settle();
  auto UnionIf = [&](auto Fits) {
    std::vector<bool> Busy(200000);
    for (const Piece &P : Pieces)
      if (Fits(P))
        std::fill(Busy.begin() + P.Start, Busy.begin() + P.End, true);
    return static_cast<uint64_t>(std::count(Busy.begin(), Busy.end(), true));
  };
  auto Union = [&](const std::set<uint32_t> &Of, bool KernelsAlone) {
    return UnionIf([&](const Piece &P) {
      return Of.count(P.Node) != 0 && (P.IsKernel || !KernelsAlone);
    });
  };
  auto Kept = [&](const std::set<uint32_t> &Of, bool KernelsAlone) {
    uint64_t Ticks = 0;
    for (auto *O : all<loopscope_gpu_overlap>(LOOPSCOPE_CHUNK_GPU_OVERLAPS)) {
      bool Has = false;
      for (uint32_t I = 0; I < O->count; ++I)
        Has |= Of.count(O->nodes[I]) != 0 &&
               (!KernelsAlone || (O->kernels >> I & 1) != 0);
      Ticks += Has ? O->ticks : 0;
    }
    return Ticks;
  };
  for (int Try = 0; Try < 50; ++Try) {
    std::set<uint32_t> Of;
    for (uint32_t I = 1; I <= Paths; ++I)
      if (Random() % 3 == 0)
        Of.insert(I);
    EXPECT_EQ(Kept(Of, false), Union(Of, false));
    EXPECT_EQ(Kept(Of, true), Union(Of, true));
  }
  for (uint32_t I = 1; I <= Paths; ++I) {
    EXPECT_EQ(sumsOf(I).busy_ticks, Union({I}, false));
    EXPECT_EQ(sumsOf(I).kernel_ticks, Union({I}, true));
  }
  // All work of one name, and of each call path.
  auto IsSame = [&](const auto &Entry, const Piece &P) {
    return Entry.kind == LOOPSCOPE_GPU_COPY
               ? !P.IsKernel
               : P.IsKernel && Entry.function == Store->function(Names[P.Name]);
  };
  auto Same = all<loopscope_gpu_same_work>(LOOPSCOPE_CHUNK_GPU_SAME_WORK);
  EXPECT_EQ(Same.size(), 4U);
  for (auto *S : Same)
    EXPECT_EQ(S->busy_ticks,
              UnionIf([&](const Piece &P) { return IsSame(*S, P); }));
  auto Works = all<loopscope_gpu_work>(LOOPSCOPE_CHUNK_GPU_WORK);
  EXPECT_EQ(Works.size(), 4 * Paths);
  for (auto *W : Works)
    EXPECT_EQ(W->busy_ticks, UnionIf([&](const Piece &P) {
                return P.Node == W->node && IsSame(*W, P);
              }));
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_LATE), 0U);
}

TEST_F(GpuTest, AWaitOfMinutesForOneKernelIsChargedWhenItsRecordComes) {
  call(1, A);
  Adding->waits().begin(9, B, 2000);
  for (uint64_t At = 3000; At < 90000; At += 1000)
    settle(1500); // the kernel's launch
  Adding->waits().end(9, B, 2000, 90000);
  settle(1500);
  EXPECT_EQ(waited(B, LOOPSCOPE_NONE), 0U);
  add(kernel(1, 1600, 89990));
  settle(95000);
  EXPECT_EQ(waited(B, A), 87990U);
  EXPECT_EQ(waited(B, LOOPSCOPE_NONE), 10U);
}

TEST_F(GpuTest, MoreWaitsThanAreKeptAreCharged) {
  Waits &Waiting = Adding->waits();
  constexpr uint64_t Count = Waits::MostKept + 100;
  for (uint64_t I = 0; I < Count; ++I)
    Waiting.end(7, B, 2000 + I * 10, 2000 + I * 10 + 3);
  Waiting.settle(UINT64_MAX);
  EXPECT_EQ(waited(B, LOOPSCOPE_NONE), Count * 3);
}

TEST_F(GpuTest, ManyShortWaitsDuringOneKernel) {
  call(1, A);
  add(kernel(1, 2000, 50000));
  for (uint64_t At = 1990; At < 51000; At += 10)
    Adding->waits().end(9, B, At, At + 4);
  settle();
  EXPECT_EQ(waited(B, A), 4U * 4800);
  EXPECT_EQ(waited(B, LOOPSCOPE_NONE), 4U * 101);
}

TEST_F(GpuTest, LateWaitsAreChargedToNobody) {
  call(1, A);
  add(kernel(1, 2000, 3000));
  settle(4000);
  Adding->waits().end(9, B, 2500, 4100); // its start was lost
  settle();
  EXPECT_EQ(waited(B, A), 0U);
  EXPECT_EQ(waited(B, LOOPSCOPE_NONE), 100U);
}
} // namespace
