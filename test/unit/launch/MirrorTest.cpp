// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launcher reads the rewriter's manifest.

#include "Launch/Mirror.h"

#include <gtest/gtest.h>

using namespace loopscope::launch;

namespace {

constexpr const char *Text = R"({
  "version": 1, "tool": "0.1.0", "status": "instrumented", "language": "c++",
  "files": [
    {"original": "/p/src/main.cpp", "spelling": "other/main.cpp",
     "mirrored": "/m/p/src/main.cpp", "main": true, "sites": 1,
     "include_edits": [
       {"line": 1, "from": "\"util.h\"", "to": "\"/p/src/util.h\"",
        "name": "src/util.h"},
       {"line": 2, "from": "\"../far.h\"", "to": "\"/p/far.h\"",
        "name": "src/../far.h"}]},
    {"original": "/p/inc/net.h", "spelling": "inc/net.h",
     "mirrored": "/m/p/inc/net.h", "main": false, "sites": 2,
     "include_edits": []}],
  "includes": [], "diagnostics": {}})";

TEST(Mirror, NamesFilesAsAPlainCompileDoes) {
  auto M = readMirror(Text, "src/main.cpp", {"/m", "/m"});
  ASSERT_TRUE(M);
  EXPECT_EQ(M->Status, Mirror::Outcome::Instrumented);
  EXPECT_EQ(M->plainName("/m/p/src/main.cpp"), "src/main.cpp");
  EXPECT_EQ(M->plainName("/m/p/inc/net.h"), "inc/net.h");
  EXPECT_EQ(M->plainName("/p/src/util.h"), "src/util.h");
  EXPECT_EQ(M->plainName("/p/far.h"), "src/../far.h");
  EXPECT_EQ(M->plainName("/usr/include/stdio.h"), "/usr/include/stdio.h");
  EXPECT_EQ(M->mirroredPath("/p/inc/net.h"), "/m/p/inc/net.h");
  EXPECT_EQ(M->mirroredPath("/p/inc/none.h"), "");
}

TEST(Mirror, KnowsWhatTheCompilerCallsAMirrorBelowItsDirectory) {
  std::string Relative = Text;
  Relative.replace(Relative.find("/p/src/util.h"), 13, "../../src/util.h");
  Relative.replace(Relative.find("/p/far.h"), 8, "p/inc/net.h");
  auto M = readMirror(Relative, "src/main.cpp", {"/m", "o.m"});
  ASSERT_TRUE(M);
  EXPECT_EQ(M->mirroredPath("/p/inc/net.h"), "o.m/p/inc/net.h");
  EXPECT_EQ(M->plainName("o.m/p/src/../../src/util.h"), "src/util.h");
  EXPECT_EQ(M->plainName("o.m/p/src/../../src/../a.h"), "src/../a.h");
  EXPECT_EQ(M->plainName("o.m/p/inc/net.h"), "inc/net.h");
  EXPECT_EQ(M->Renames.size(), 1U);
}

TEST(Mirror, RefusesInvalidManifests) {
  auto Message = [](std::string_view Wrong) {
    auto M = readMirror(Wrong, "a.c", {"/m", "/m"});
    return M ? "" : M.error().Message;
  };
  EXPECT_NE(Message("").find("not a JSON object"), std::string::npos);
  EXPECT_NE(Message("[1]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(Message("{}").find("not of version 1"), std::string::npos);
  EXPECT_NE(Message(R"({"version": 2})").find("same installation"),
            std::string::npos);
  EXPECT_NE(Message(R"({"version": 1, "status": "odd"})").find("'odd'"),
            std::string::npos);
  EXPECT_NE(Message(R"({"version": 1, "status": "instrumented", "files": []})")
                .find("the source itself"),
            std::string::npos);
}

} // namespace
