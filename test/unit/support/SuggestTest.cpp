// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suggestions for misspelt words.

#include "Support/Suggest.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {

const std::vector<std::string> Commands = {"report", "run", "watch", "diff",
                                           "export"};

TEST(Suggest, FindsWrongMissingExtraAndSwappedLetters) {
  EXPECT_EQ(suggestionFor("repart", Commands), "did you mean 'report'?");
  EXPECT_EQ(suggestionFor("repot", Commands), "did you mean 'report'?");
  EXPECT_EQ(suggestionFor("reeport", Commands), "did you mean 'report'?");
  EXPECT_EQ(suggestionFor("dfif", Commands), "did you mean 'diff'?");
}

TEST(Suggest, TakesTheNearest) {
  EXPECT_EQ(suggestionFor("exprt", Commands), "did you mean 'export'?");
  EXPECT_EQ(suggestionFor("ran", {"rat", "ran"}), "did you mean 'ran'?");
}

TEST(Suggest, SuggestsNothingIfNoneIsNear) {
  EXPECT_EQ(suggestionFor("pie", Commands), "");
  EXPECT_EQ(suggestionFor("ru", {"watch"}), "");
  EXPECT_EQ(suggestionFor("", Commands), "");
  EXPECT_EQ(suggestionFor("report", {}), "");
  EXPECT_EQ(chooseFrom("pie", {"fit", "test"}), "use one of fit, test");
  EXPECT_EQ(chooseFrom("tset", {"fit", "test"}),
            "did you mean 'test'? Use one of fit, test");
}

} // namespace
