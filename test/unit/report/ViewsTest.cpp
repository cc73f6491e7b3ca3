// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime knows about views, compared with the views.

#include "Analysis/Verdict/Figures.h"
#include "Report/Views/View.h"

#include <loopscope/view_names.h>

#include <gtest/gtest.h>

#include <set>
#include <string_view>

using namespace loopscope;

TEST(Views, TheRuntimeKnowsThoseOfTheTimeline) {
#define LOOPSCOPE_NAME_(NAME) NAME,
  const std::set<std::string_view> Known = {
      LOOPSCOPE_TIMELINE_VIEWS(LOOPSCOPE_NAME_)};
#undef LOOPSCOPE_NAME_
  for (const View *Each : allViews()) {
    bool IsOfMemory = Each->Parts != nullptr && Each->Parts({}).Held;
    EXPECT_EQ(Each->OnTimeline || IsOfMemory, Known.count(Each->Name) == 1)
        << Each->Name;
  }
}
