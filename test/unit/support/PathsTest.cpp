// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files.

#include "Support/Paths.h"

#include <gtest/gtest.h>

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
