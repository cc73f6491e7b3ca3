// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of kernels outlive the strings that they were copied from.

#include "GpuFixture.h"

#include <loopscope/profile_counters.h>

#include <string>

using namespace loopscope::runtime;

namespace {
TEST_F(GpuTest, NamesAreCopiedOnce) {
  std::string Text = "first";
  std::string Same = "first";
  KernelName First = Names.note(Text.data());
  ASSERT_NE(First, 0);
  EXPECT_EQ(Names.note(Text.data()), First);
  EXPECT_EQ(Names.note(Same.data()), First);
  Text = "other";
  EXPECT_STREQ(Names.text(First), "first");
}

TEST_F(GpuTest, AnotherModuleMayReuseTheAddressOfAName) {
  std::string Text = "first";
  KernelName First = Names.note(Text.data());
  Names.unload(1000);
  Text = "other";
  KernelName Other = Names.note(Text.data());
  EXPECT_STREQ(Names.text(First), "first");
  EXPECT_STREQ(Names.text(Other), "other");
  EXPECT_NE(First, Other);
}

TEST_F(GpuTest, ARecordsStringIsReadOnlyWhileItsModuleIsLoaded) {
  EXPECT_STREQ(Names.text(Names.noteRecorded("k", 0)), "k");
  Names.unload(1000);
  EXPECT_EQ(Names.noteRecorded("k", 0), 0); // unknown time
  EXPECT_EQ(Names.noteRecorded("k", 1000), 0);
  EXPECT_STREQ(Names.text(Names.noteRecorded("k", 1001)), "k");
}

TEST_F(GpuTest, WorkWithoutANameIsCounted) {
  call(1, A, 900);
  call(2, B, 1100);
  Names.unload(1000);
  add(kernel(1, 1200, 1300, nullptr)); // CUPTI named none
  add(kernel(1, 1400, 1500));
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_UNNAMED), 1U);
  add(kernel(2, 1600, 1700));
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_GPU_UNNAMED), 1U);
}

TEST_F(GpuTest, ManyNamesShareTheTable) {
  constexpr int Count = 20000; // more than it has room for
  std::vector<std::string> Texts;
  for (int I = 0; I < Count; ++I)
    Texts.push_back("kernel" + std::to_string(I));
  for (int Round = 0; Round < 2; ++Round)
    for (const std::string &Each : Texts)
      ASSERT_STREQ(Names.text(Names.note(Each.c_str())), Each.c_str());
}

TEST_F(GpuTest, BeyondTheLimitNamesAreNotKept) {
  std::string Text;
  for (int I = 0; I < 65535; ++I) {
    Text = "k" + std::to_string(I);
    ASSERT_NE(Names.note(Text.c_str()), 0);
    Names.unload(1); // all at one address
  }
  EXPECT_EQ(Names.note("one more"), 0);
  Text = "k7";
  EXPECT_STREQ(Names.text(Names.note(Text.c_str())), "k7");
}
} // namespace
