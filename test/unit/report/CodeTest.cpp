// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code in sentences: only pairs of backticks around words count.

#include "Report/Print/Code.h"

#include <gtest/gtest.h>

using namespace loopscope;

using Parts = std::vector<TextPart>;

TEST(Code, IsSetInBackticks) {
  EXPECT_EQ(codeParts("see `a b`, then (`c`) or `d`"),
            Parts({{"see ", false},
                   {"a b", true},
                   {", then (", false},
                   {"c", true},
                   {") or ", false},
                   {"d", true}}));
  EXPECT_EQ(withoutCodeMarks("`perf` tells. Run `perf`."),
            "perf tells. Run perf.");
  EXPECT_EQ(codeParts(""), Parts());
}

TEST(Code, NamesKeepTheirBackticks) {
  for (const char *Name : {"`", "``", "a`b`c", "`anonymous namespace'::f",
                           "x `", "` x `y", "a`b and c`d", "f`g` h"})
    EXPECT_EQ(codeParts(Name), Parts({{Name, false}})) << Name;
  EXPECT_EQ(withoutCodeMarks("a`b, `code`"), "a`b, code");
}
