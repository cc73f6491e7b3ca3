// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files.

#include "Support/Paths.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <string>

using namespace loopscope;

TEST(Paths, TheSystemsLibraries) {
  for (const char *Each :
       {"/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2",
        "/usr/lib/libm.so.6", "/usr/lib64/libstdc++.so.6"})
    EXPECT_TRUE(isSystemLibrary(Each)) << Each;
  for (const char *Each : {"/libs/mine.so", "/library/mine.so",
                           "/usr/library/mine.so", "/usr/local/lib/mine.so",
                           "/home/me/lib/mine.so", "lib/mine.so", "[vdso]", ""})
    EXPECT_FALSE(isSystemLibrary(Each)) << Each;
}

TEST(Paths, ABuildTreeSaysWhereTheHeadersAre) {
  std::string Headers = inBuildTree("headers");
  EXPECT_NE(readFile(Headers + "/loopscope/hooks.h"), "") << Headers;
  EXPECT_EQ(inBuildTree("header"), "");
  EXPECT_EQ(inBuildTree("nothing"), "");
}

TEST(Paths, WhatCannotBeReadIsNothing) {
  EXPECT_EQ(readWholeFile("/nowhere/at/all"), std::nullopt);
  EXPECT_EQ(readWholeFile("/tmp"), std::nullopt);
  EXPECT_EQ(readFile("/tmp"), "");
  EXPECT_EQ(readWholeFile("/dev/null"), "");
}

// As /proc/PID/cmdline of a process that ended after it was opened: a read
// fails. Address 0 of this process isn't mapped.
TEST(Paths, AFailedReadIsNothing) {
  EXPECT_EQ(readWholeFile("/proc/self/mem"), std::nullopt);
  EXPECT_EQ(readFile("/proc/self/mem"), "");
}

TEST(Paths, AFileIsReadWhole) {
  std::string File = testing::TempDir() + "loopscope-paths-test";
  for (size_t Size : {0, 1, 4095, 4096, 4097, 100000}) {
    std::string Text(Size, 'x');
    std::ofstream(File, std::ios::binary) << Text;
    EXPECT_EQ(readWholeFile(File), Text) << Size;
  }
  std::remove(File.c_str());
}
