// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging profiles.

#include "Run/Combine/Merge.h"

#include "DescribedRun.h"

#include <gtest/gtest.h>

using namespace loopscope;

TEST(Merge, SitesOfTheSamePlaceAreOne) {
  loopscope::Run A =
      describedRun("wall 1s\nthread main\n  phase a spans=1ms line=5\n");
  loopscope::Run B =
      describedRun("wall 2s\nthread main\n  phase b spans=1ms line=5\n"
                   "  phase a spans=3ms line=5\n");
  loopscope::Run Both = mergeProfiles({A, B});
  EXPECT_EQ(Both.Sites.size(), 2u);
  EXPECT_EQ(Both.WallNs, 3'000'000'000);
  ASSERT_EQ(Both.Nodes.size(), 5u);
  EXPECT_EQ(Both.Nodes[4].Parent, 2u);
  EXPECT_EQ(Both.Nodes[4].Site, Both.Nodes[1].Site);
  EXPECT_EQ(Both.Threads[1].Root, 2u);
}

TEST(Merge, TheWorstEndIsTheEnd) {
  loopscope::Run A = describedRun("wall 1s\nthread main\n");
  loopscope::Run B = describedRun("wall 1s\nend signal 9\nthread main\n");
  EXPECT_EQ(mergeProfiles({A, B}).Ended, End::Signal);
  EXPECT_EQ(mergeProfiles({B, A}).EndCode, 9);
}
