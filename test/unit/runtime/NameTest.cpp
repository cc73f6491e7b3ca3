// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profile's file name.

#include "base/system.h"
#include "profile/profile_name.h"

#include <gtest/gtest.h>

#include <string>

using namespace loopscope::runtime;

static std::string name(const char *Output, int64_t Rank = -1) {
  ProfileName Name = {Output, "/", "/bin/train", 42, Rank};
  Name.WorkingDirectory = "/work";
  TextBuffer<1024> Path;
  makeProfileName(Name, Path);
  return Path.c_str();
}

TEST(NameTest, ProgramAndProcess) {
  EXPECT_EQ(name(""), "/work/train.42.loopscope");
}

TEST(NameTest, TheRankOfADistributedRun) {
  EXPECT_EQ(name("", 3), "/work/train.42.rank3.loopscope");
  EXPECT_EQ(name("run.loopscope", 3), "/work/run.rank3.loopscope");
  EXPECT_EQ(name("run-%r.loopscope", 3), "/work/run-3.loopscope");
}

TEST(NameTest, AFileOrADirectory) {
  EXPECT_EQ(name("/data/run"), "/data/run");
  EXPECT_EQ(name("/tmp"), "/tmp/train.42.loopscope");
  EXPECT_EQ(name("/tmp/"), "/tmp/train.42.loopscope");
}

TEST(NameTest, SaysWhetherTheProcessIsInIt) {
  ProfileName Name = {"", "/work", "/bin/train", 42, -1};
  for (const char *Output : {"", "/tmp", "/tmp/", "run.%p"}) {
    TextBuffer<1024> Path;
    Name.Output = Output;
    EXPECT_TRUE(makeProfileName(Name, Path)) << Output;
  }
  for (const char *Output : {"/data/run", "run-%r", "%%p"}) {
    TextBuffer<1024> Path;
    Name.Output = Output;
    EXPECT_FALSE(makeProfileName(Name, Path)) << Output;
  }
}

TEST(NameTest, Patterns) {
  EXPECT_EQ(name("%p-%r-100%%"), "/work/42-0-100%");
  EXPECT_EQ(name("50%"), "/work/50%");
}
