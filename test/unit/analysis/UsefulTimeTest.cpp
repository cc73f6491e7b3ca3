// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marked waits, and waits for a device, count once.

#include "Analysis/Tree/UsefulTime.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {

Node node(uint32_t Parent, loopscope_kind Kind, int64_t Ns, int64_t Blocked) {
  Node N;
  N.Parent = Parent;
  N.Kind = Kind;
  N.InclusiveNs = Ns;
  N.Calls.WaitNs = Blocked;
  return N;
}

TEST(UsefulTime, AWaitIncludesEverythingInside) {
  loopscope::Run R;
  R.Nodes = {node(None, LOOPSCOPE_KIND_ROOT, 100, 0),
             node(0, LOOPSCOPE_KIND_PHASE, 80, 10),
             node(1, LOOPSCOPE_KIND_WAIT, 30, 5),
             node(2, LOOPSCOPE_KIND_PHASE, 20, 20),
             node(2, LOOPSCOPE_KIND_WAIT, 5, 0),
             node(1, LOOPSCOPE_KIND_PHASE, 15, 7)};
  EXPECT_TRUE(hasUsefulTime(R));
  // 10 and 7 for a device outside the wait, plus the wait.
  EXPECT_EQ(waitingTimes(R), (std::vector<int64_t>{47, 47, 30, 20, 5, 7}));
}

TEST(UsefulTime, ADrawIsOwnTimeAndNotUseful) {
  loopscope::Run R;
  R.Nodes = {node(None, LOOPSCOPE_KIND_ROOT, 100, 0),
             node(0, LOOPSCOPE_KIND_STEP, 90, 0),
             node(1, LOOPSCOPE_KIND_DRAW, 40, 5),
             node(2, LOOPSCOPE_KIND_PHASE, 10, 0),
             node(2, LOOPSCOPE_KIND_WAIT, 8, 0),
             node(1, LOOPSCOPE_KIND_BATCH, 50, 3)};
  EXPECT_EQ(waitingTimes(R), (std::vector<int64_t>{16, 16, 13, 0, 8, 3}));
  EXPECT_EQ(uselessTimes(R), (std::vector<int64_t>{43, 43, 40, 10, 8, 3}));
}

TEST(UsefulTime, IsUnknownWithoutMarkedWaitsOrCallsInTheTree) {
  loopscope::Run R;
  R.Nodes = {node(None, LOOPSCOPE_KIND_ROOT, 100, 0),
             node(0, LOOPSCOPE_KIND_PHASE, 80, 10)};
  EXPECT_FALSE(hasUsefulTime(R));
  R.Nodes.push_back(node(0, LOOPSCOPE_KIND_WAIT, 10, 0));
  EXPECT_TRUE(hasUsefulTime(R));
  R.Stream.Events.emplace_back();
  EXPECT_TRUE(hasUsefulTime(R));
  R.Stream.Events.back().Kind = TraceKind::Runtime;
  EXPECT_FALSE(hasUsefulTime(R));
}

TEST(UsefulTime, IsNeverMoreThanTheNodesTime) {
  loopscope::Run R;
  R.Nodes = {node(None, LOOPSCOPE_KIND_ROOT, INT64_MAX, INT64_MAX),
             node(0, LOOPSCOPE_KIND_PHASE, 10, INT64_MAX),
             node(0, LOOPSCOPE_KIND_WAIT, INT64_MAX, 0)};
  EXPECT_EQ(waitingTimes(R), (std::vector<int64_t>{INT64_MAX, 10, INT64_MAX}));
}

} // namespace
