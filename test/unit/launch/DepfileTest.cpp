// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renames dependencies in Make rules.

#include "Launch/Depfile.h"

#include <gtest/gtest.h>

using namespace loopscope::launch;

namespace {

std::string rename(std::string_view Text,
                   const std::vector<std::string> &More = {}) {
  return renameDependencies(
      Text,
      [](const std::string &Path) {
        return Path.starts_with("/m/") ? Path.substr(3) : Path;
      },
      More);
}

TEST(Depfile, RenamesAndKeepsTheRest) {
  EXPECT_EQ(rename("a.o: /m/a.c \\\n /usr/include/x.h /m/b.h\n"),
            "a.o: a.c \\\n /usr/include/x.h b.h\n");
}

TEST(Depfile, RenamesPhonyTargets) {
  EXPECT_EQ(rename("a.o: /m/a.c\n/m/b.h:\n\n/m/c.h :\n"),
            "a.o: a.c\nb.h:\n\nc.h :\n");
}

TEST(Depfile, KeepsEscapes) {
  EXPECT_EQ(rename("a\\ b.o: /m/x\\ y.c /m/$$z\\#.c w\\ v.c\r\n"),
            "a\\ b.o: x\\ y.c $$z\\#.c w\\ v.c\r\n");
}

TEST(Depfile, AddsToTheFirstRuleOnly) {
  EXPECT_EQ(rename("a.o: a.c \\\n b.h\nb.h:\n", {"/t o/l"}),
            "a.o: a.c \\\n b.h /t\\ o/l\nb.h:\n");
  EXPECT_EQ(rename("a.o: a.c", {"l"}), "a.o: a.c l");
  EXPECT_EQ(rename("", {"l"}), "");
}

TEST(Depfile, AcceptsColonsInPaths) {
  EXPECT_EQ(rename("a:b.o: /m/c:d.c\n"), "a:b.o: c:d.c\n");
  EXPECT_EQ(rename("a.o b.o: /m/c.c\n"), "a.o b.o: c.c\n");
}

TEST(Depfile, SurvivesMalformedInput) {
  EXPECT_EQ(rename("a.o: /m/a.c \\"), "a.o: a.c \\");
  EXPECT_EQ(rename("\\\n"), "\\\n");
}

} // namespace
