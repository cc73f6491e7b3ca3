// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's variables and shape reveal about it.

#include "Instrument/Suggest/LoopClues.h"
#include "Instrument/Suggest/GuessedLoops.h"

#include <gtest/gtest.h>

using namespace loopscope::instrument;

namespace {

SeenScope loop(int Outer, const char *Variable, const char *Bound) {
  static unsigned Ordinal = 0;
  SeenScope S;
  S.Outer = Outer;
  S.Names = {Variable};
  S.Head = {Variable, Bound};
  S.Ordinal = ++Ordinal;
  return S;
}

SeenCall call(const char *Name) {
  SeenCall C;
  C.Callee = C.Name = Name;
  C.Statement = 1;
  return C;
}

/// A function `work` with LOOPS, whose first scope is the function.
Program program(std::vector<SeenScope> Loops) {
  SeenBody B;
  B.Name = "work";
  B.Key = "a.cpp:1:1";
  B.Scopes.emplace_back();
  for (SeenScope &Each : Loops)
    B.Scopes.push_back(std::move(Each));
  return Program({std::move(B)});
}

SeenScope calling(SeenScope S, const char *Name) {
  S.Calls.push_back(call(Name));
  return S;
}

TEST(LoopClues, ReasonIsThatOfTheBestClue) {
  Program P = program({calling(loop(0, "batch", "n"), "go")});
  Clues C = cluesOf(P, {0, 1});
  EXPECT_EQ(C.Score, 4);
  EXPECT_EQ(C.Why, "it goes over steps or batches, by its names");
}

TEST(LoopClues, HeadsNameValidation) {
  Program P = program({loop(0, "i", "num_test"), loop(0, "b", "valid"),
                       loop(0, "test", "n"), loop(0, "val", "n")});
  EXPECT_TRUE(namesValidation(P, {0, 1}));
  EXPECT_TRUE(namesValidation(P, {0, 2}));
  EXPECT_FALSE(namesValidation(P, {0, 3}));
  EXPECT_FALSE(namesValidation(P, {0, 4}));
}

TEST(LoopClues, SystemFunctionsAndAccessDoNoWork) {
  SeenCall System = call("exp");
  System.System = true;
  EXPECT_FALSE(mayWork(System));
  EXPECT_FALSE(mayWork(call("get")));
  EXPECT_FALSE(mayWork(call("print_loss")));
  EXPECT_TRUE(mayWork(call("crunch")));
}

TEST(GuessedLoops, EpochsHoldTheLoopOverData) {
  Program P = program(
      {loop(0, "epoch", "n"), calling(loop(1, "i", "num_examples"), "crunch")});
  std::vector<StepLoop> Loops = guessStepLoops(P);
  ASSERT_EQ(Loops.size(), 1U);
  EXPECT_EQ(Loops.front().Loop.Scope, 2);
  EXPECT_FALSE(Loops.front().Epochs);
}

TEST(GuessedLoops, ALoopBehindAPragmaLeavesTheStepToTheEpoch) {
  SeenScope Parallel = calling(loop(1, "i", "n"), "crunch");
  Parallel.Pragma = true;
  Program P = program({loop(0, "epoch", "n"), Parallel});
  std::vector<StepLoop> Loops = guessStepLoops(P);
  ASSERT_EQ(Loops.size(), 1U);
  EXPECT_EQ(Loops.front().Loop.Scope, 1);
}

TEST(GuessedLoops, TablesAreNoGuess) {
  Program P = program(
      {loop(0, "row", "rows"), calling(loop(1, "column", "columns"), "paint")});
  EXPECT_TRUE(guessStepLoops(P).empty());
}

} // namespace
