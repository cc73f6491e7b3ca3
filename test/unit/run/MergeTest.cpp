// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging profiles.

#include "Run/Combine/Merge.h"

#include "ProfileDescription.h"
#include "Run/Read/ProfileReader.h"

#include <gtest/gtest.h>

#include <span>

using namespace loopscope;

namespace {
Run parsed(const std::string &Description) {
  std::string Bytes = describedProfile(Description);
  Result<loopscope::Run> P =
      readProfile(std::as_bytes(std::span(Bytes)), "test");
  EXPECT_TRUE(P);
  return P ? std::move(*P) : loopscope::Run();
}
} // namespace

TEST(Merge, SitesOfTheSamePlaceAreOne) {
  loopscope::Run A =
      parsed("wall 1s\nthread main\n  phase a spans=1ms line=5\n");
  loopscope::Run B = parsed("wall 2s\nthread main\n  phase b spans=1ms line=5\n"
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
  loopscope::Run A = parsed("wall 1s\nthread main\n");
  loopscope::Run B = parsed("wall 1s\nend signal 9\nthread main\n");
  EXPECT_EQ(mergeProfiles({A, B}).Ended, End::Signal);
  EXPECT_EQ(mergeProfiles({B, A}).EndCode, 9);
}
