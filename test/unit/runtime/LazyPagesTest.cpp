// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages that are made at their first use: one for all threads, zeroed, and used
// again in a child.

#include "base/lazy_pages.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace loopscope::runtime;

namespace {
struct Page {
  uint64_t Of[512];
};

TEST(LazyPages, AreMadeOnceAndZeroed) {
  static LazyPages<Page, 3> Pages;
  EXPECT_EQ(Pages.find(1), nullptr);
  Page *Made = Pages.findOrMake(1);
  ASSERT_NE(Made, nullptr);
  EXPECT_EQ(Made->Of[511], 0U);
  EXPECT_EQ(Pages.findOrMake(1), Made);
  EXPECT_EQ(Pages.find(1), Made);
  EXPECT_EQ(Pages.find(0), nullptr);
  EXPECT_EQ(Pages.find(2), nullptr);
}

TEST(LazyPages, AreUsedAgainAndThenZeroed) {
  static LazyPages<Page, 2> Pages;
  Page *Made = Pages.findOrMake(0);
  ASSERT_NE(Made, nullptr);
  Made->Of[7] = 7;
  Pages.forget();
  EXPECT_EQ(Pages.find(0), nullptr);
  Pages.forget(); // a child of the child: the page is kept
  EXPECT_EQ(Pages.findOrMake(0), Made);
  EXPECT_EQ(Made->Of[7], 0U);
  EXPECT_NE(Pages.findOrMake(1), Made);
}

TEST(LazyPages, AreTheSameForThreads) {
  for (int Round = 0; Round < 200; ++Round) {
    LazyPages<Page, 1> Pages;
    std::atomic<int> Waiting{4};
    Page *Seen[4] = {};
    std::vector<std::thread> Threads;
    for (Page *&Each : Seen)
      Threads.emplace_back([&] {
        --Waiting;
        while (Waiting != 0)
          std::this_thread::yield(); // to those that haven't a processor yet
        Each = Pages.findOrMake(0);
      });
    for (std::thread &Each : Threads)
      Each.join();
    for (Page *Each : Seen)
      EXPECT_EQ(Each, Seen[0]);
    munmap(Seen[0], sizeof(Page));
  }
}
} // namespace
