// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of samples.

#include "Fixture.h"

#include "process/process.h"
#include "profile/profile_file.h"
#include "stacks/table.h"
#include "tree/own_tree.h"

#include "Run/Read/ProfileReader.h"

#include <loopscope/named_losses.h>

using namespace loopscope::runtime;

namespace {
class StacksTest : public RuntimeTest {
protected:
  StacksTest() {
    registerStackTable();
    loopscope_leave(loopscope_enter(site("a")));
    makeStackTable();
  }
  ~StacksTest() override { resetStackTable(); }

  // A sample in the phase, at CODE, called from CALLER.
  static void add(uint64_t Code, uint64_t Caller) {
    const uint64_t Frames[] = {Code, Caller};
    addStackSample({node("a").index, ownTree()->index, 0, 0, 2, Frames});
  }
  static loopscope::Run read() {
    auto P = loopscope::readProfile(finish(), loopscope::WithTimeline::No);
    EXPECT_TRUE(static_cast<bool>(P));
    return P ? std::move(*P) : loopscope::Run();
  }
};
} // namespace

TEST_F(StacksTest, EqualStacksAreCounted) {
  add(10, 100);
  add(10, 200);
  add(10, 100);
  loopscope::Run R = read();
  ASSERT_EQ(R.Stacks.Samples.size(), 2U);
  for (const loopscope::StackSample &Each : R.Stacks.Samples) {
    ASSERT_EQ(Each.Frames.size(), 2U);
    EXPECT_EQ(Each.Frames[0].Address, 10U);
    EXPECT_EQ(Each.Count, Each.Frames[1].Address == 99 ? 2U : 1U);
    EXPECT_FALSE(Each.IsCut);
  }
}

// When there is no more room for stacks, the functions are still counted, and
// the profile says that they have callers.
TEST_F(StacksTest, AFullTableCutsStacks) {
  constexpr uint64_t Samples = 140000;
  for (uint64_t I = 1; I <= Samples; ++I)
    add(10, I);
  loopscope::Run R = read();
  uint64_t Whole = 0;
  uint64_t Cut = 0;
  for (const loopscope::StackSample &Each : R.Stacks.Samples) {
    EXPECT_EQ(Each.IsCut, Each.Frames.size() == 1);
    (Each.Frames.size() == 1 ? Cut : Whole) += Each.Count;
  }
  EXPECT_GT(Cut, 0U);
  EXPECT_EQ(Whole + Cut + R.Lost.named(LOOPSCOPE_COUNT_STACKS_LOST), Samples);
}

// A stack is as deep as it was, whichever other stacks share its calls.
TEST_F(StacksTest, DeepStacksAreWhole) {
  constexpr uint32_t Depth = 100;
  uint64_t Frames[Depth];
  for (uint32_t I = 0; I < Depth; ++I)
    Frames[I] = 1000 + I;
  auto Add = [&](uint32_t From, uint32_t Flags) {
    addStackSample({node("a").index, LOOPSCOPE_STACK_THREAD_ID | 77, Flags, 0,
                    Depth - From, Frames + From});
  };
  Add(0, LOOPSCOPE_STACK_WHOLE);
  Add(0, LOOPSCOPE_STACK_WHOLE);
  Add(40, LOOPSCOPE_STACK_WHOLE);
  Add(40, LOOPSCOPE_STACK_GUESSED);
  loopscope::Run R = read();
  ASSERT_EQ(R.Stacks.Samples.size(), 3U);
  for (const loopscope::StackSample &Each : R.Stacks.Samples) {
    size_t From = Depth - Each.Frames.size();
    ASSERT_TRUE(From == 0 || From == 40);
    EXPECT_EQ(Each.Frames[0].Address, 1000 + From);
    for (size_t I = 1; I < Each.Frames.size(); ++I)
      EXPECT_EQ(Each.Frames[I].Address, 999 + From + I);
    EXPECT_EQ(Each.Count, From == 0 ? 2U : 1U);
    EXPECT_NE(Each.IsWhole, Each.IsGuessed);
    EXPECT_EQ(Each.ThreadId, 77U);
    EXPECT_EQ(Each.Thread, loopscope::None);
  }
}
