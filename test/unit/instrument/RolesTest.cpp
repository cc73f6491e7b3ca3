// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What names reveal about a training program.

#include "Instrument/Suggest/Roles.h"

#include <gtest/gtest.h>

using namespace loopscope;
using namespace loopscope::instrument;

namespace {

Role role(const char *Name) {
  SeenCall Call;
  Call.Callee = Call.Name = Name;
  return roleOf(Call);
}

TEST(Roles, NamesAreSplitIntoWords) {
  std::vector<std::string> Expected = {"train", "one", "batch"};
  EXPECT_EQ(wordsOf("trainOneBatch"), Expected);
  EXPECT_EQ(wordsOf("train_one_batch"), Expected);
  EXPECT_TRUE(wordsOf("").empty());
}

TEST(Roles, AWordCountsAsAWhole) {
  EXPECT_TRUE(hasWord("num_epochs", {"epochs"}));
  EXPECT_FALSE(hasWord("epochsLeft2", {"epoch"}));
  EXPECT_FALSE(hasWord("retrain", {"train"}));
}

TEST(Roles, CallsHaveTheRoleOfTheirName) {
  EXPECT_EQ(role("forward"), Role::Forward);
  EXPECT_EQ(role("backward"), Role::Backward);
  EXPECT_EQ(role("zero_grad"), Role::ZeroGrad);
  EXPECT_EQ(role("next_batch"), Role::Draw);
  EXPECT_EQ(role("printf"), Role::None);
}

TEST(Roles, AStepThatGivesALossIsNoOptimizers) {
  SeenCall Call;
  Call.Callee = Call.Name = "step";
  EXPECT_EQ(roleOf(Call), Role::OptStep);
  Call.Real = true;
  Call.Arguments = {"sample"};
  EXPECT_EQ(roleOf(Call), Role::Step);
  Call.Object = "optimizer";
  EXPECT_EQ(roleOf(Call), Role::OptStep);
}

TEST(Roles, PartsOfAStepArePhases) {
  EXPECT_TRUE(isPart(Role::Forward));
  EXPECT_FALSE(isPart(Role::Epoch));
  EXPECT_STREQ(phaseName(Role::Forward), "forward");
  EXPECT_STREQ(phaseName(Role::OptStep), "opt_step");
}

} // namespace
