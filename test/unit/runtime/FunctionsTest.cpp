// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function mode's hooks that switch themselves off.

#include "Fixture.h"

#include "base/thread_links.h"
#include "functions/extension.h"
#include "process/process.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"

using namespace loopscope::runtime;

namespace {
class FunctionsTest : public RuntimeTest {
protected:
  FunctionsTest() {
    __loopscope_functions_active = 1;
    FunctionsExtension.Start();
    EXPECT_TRUE(ensureProfile());
    // A span costs ten ticks.
    Header->hook_inside_ticks1024 = 4 * 1024;
    Header->hook_outside_ticks1024 = 6 * 1024;
  }
  ~FunctionsTest() override { __loopscope_functions_active = 0; }

  // One call of a function that takes TICKS, including its hooks, in addition
  // to BODY.
  template <typename Function>
  static void call(const loopscope_site *Site, unsigned char &Off,
                   uint64_t Ticks, Function Body) {
    loopscope_token T =
        Off != 0 ? nullptr : __loopscope_enter_function(Site, &Off, 0);
    advance(Ticks);
    Body();
    if (T != nullptr)
      loopscope_leave(T);
  }
  static void call(const std::string &Name, unsigned char &Off,
                   uint64_t Ticks) {
    call(function(Name), Off, Ticks, [] {});
  }
  static const loopscope_site *function(const std::string &Name) {
    return site(Name, LOOPSCOPE_KIND_FUNCTION);
  }

  // When the node's function was switched off; 0: never.
  static uint64_t offSince(const Node &N) {
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
      auto *Sums = reinterpret_cast<loopscope_node_sum *>(entries(C));
      for (uint32_t I = 0; C->type == LOOPSCOPE_CHUNK_NODE_SUMS && I < C->used;
           ++I)
        // The cost of judging is booked on its parent.
        if (Sums[I].node == N.index)
          return Sums[I].sum;
    }
    return 0;
  }
};

TEST_F(FunctionsTest, SwitchOffIfTheyCostMoreThanATenth) {
  unsigned char Off = 0;
  // 103 ticks are 99 without the hook's own cost inside the span.
  for (int I = 0; I < 5000; ++I)
    call("small", Off, 103);
  EXPECT_EQ(Off, 1);
  EXPECT_EQ(node("small").count, 1024U);
  EXPECT_EQ(node("small").sum_ticks, 1024U * 103);
}

TEST_F(FunctionsTest, StayOnIfTheyCostATenth) {
  unsigned char Off = 0;
  for (int I = 0; I < 5000; ++I)
    call("large", Off, 104);
  EXPECT_EQ(Off, 0);
  EXPECT_EQ(node("large").count, 5000U);
  EXPECT_EQ(offSince(node("large")), 0U);
}

TEST_F(FunctionsTest, StayOnForTheFirstThousandCalls) {
  unsigned char Off = 0;
  for (int I = 0; I < 1024; ++I)
    call("small", Off, 5);
  EXPECT_EQ(Off, 0);
  EXPECT_EQ(node("small").count, 1024U);
}

TEST_F(FunctionsTest, SwitchOffWhenCallsBecomeShort) {
  unsigned char Off = 0;
  for (int I = 0; I < 2000; ++I)
    call("f", Off, 200);
  for (int I = 0; I < 100000; ++I)
    call("f", Off, 5);
  EXPECT_EQ(Off, 1);
  EXPECT_EQ(node("f").count, 4096U);
}

TEST_F(FunctionsTest, AreJudgedByAllCallPaths) {
  unsigned char Off = 0;
  loopscope_token A = loopscope_enter(site("a"));
  for (int I = 0; I < 1023; ++I)
    call("f", Off, 100000);
  loopscope_leave(A);
  loopscope_token B = loopscope_enter(site("b"));
  for (int I = 0; I < 5000; ++I)
    call("f", Off, 5);
  loopscope_leave(B);
  EXPECT_EQ(Off, 0);
  EXPECT_EQ(node("b/f").count, 5000U);
}

TEST_F(FunctionsTest, RecordTheTimeAtEachCallPath) {
  unsigned char Off = 0;
  loopscope_token A = loopscope_enter(site("a"));
  call("f", Off, 5);
  loopscope_leave(A);
  uint64_t Start = FakeTicks - Header->start_ticks;
  for (int I = 0; I < 1025; ++I)
    call("f", Off, 5);
  EXPECT_EQ(offSince(node("f")), Start + 1024 * 5);
  EXPECT_EQ(offSince(node("a/f")), Start + 1024 * 5);
}

TEST_F(FunctionsTest, StayOnIfTheirCalleesTakeTime) {
  unsigned char Off = 0, Never = 0;
  for (int I = 0; I < 5000; ++I)
    call(function("wrapper"), Off, 4, [&] { call("work", Never, 1000); });
  EXPECT_EQ(Off, 0);
  EXPECT_EQ(node("wrapper").count, 5000U);
}

TEST_F(FunctionsTest, SwitchOffIfAllCalleesAreSmall) {
  unsigned char Off = 0, Never = 0;
  for (int I = 0; I < 5000; ++I)
    call(function("wrapper"), Off, 4, [&] { call("work", Never, 300); });
  EXPECT_EQ(Never, 0);
  EXPECT_EQ(Off, 1);
}

TEST_F(FunctionsTest, OpenCallsStillEnd) {
  unsigned char Off = 0;
  for (int I = 0; I < 1023; ++I)
    call("r", Off, 5);
  // The inner call switches the hook off.
  call(function("r"), Off, 5, [&] {
    for (int I = 0; I < 1025; ++I)
      call("r", Off, 5);
  });
  EXPECT_EQ(Off, 1);
  EXPECT_EQ(node("r").count, 1024U);
  EXPECT_EQ(node("r").open, 0U);
  EXPECT_EQ(node("r/r").count, 1024U);
}

// Instances of a template have one hook each, and share a row.
TEST_F(FunctionsTest, DescriptorsOfOnePlaceSwitchOffTogether) {
  loopscope_site First = *function("t");
  loopscope_site Second = *function("t");
  unsigned char Off[2] = {};
  for (int I = 0; I < 10000; ++I) {
    call(&First, Off[0], 5, [] {});
    call(&Second, Off[1], 5, [] {});
  }
  EXPECT_EQ(Off[0], 1);
  EXPECT_EQ(Off[1], 1);
  EXPECT_LE(node("t").count, 2048U);
}

TEST_F(FunctionsTest, AdjacentCallsStartAtTheLastReading) {
  unsigned char Off = 0;
  loopscope_token A = loopscope_enter(site("a"));
  advance(7);
  loopscope_token F = __loopscope_enter_function(function("f"), &Off, 1);
  advance(1);
  loopscope_leave(F);
  loopscope_leave(A);
  EXPECT_EQ(node("a/f").sum_ticks, 8U);
}
} // namespace
