// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text scan that avoids parsing files without annotations.

#include "Launch/Scan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace loopscope::launch;

namespace {

TEST(Scan, SeesEveryWayToAnnotate) {
  EXPECT_TRUE(mayHoldAnnotations("[[loopscope::phase(\"x\")]]"));
  EXPECT_TRUE(mayHoldAnnotations("[[ loopscope :: phase ]]"));
  EXPECT_TRUE(mayHoldAnnotations("[[using loopscope: fit]]"));
  EXPECT_TRUE(mayHoldAnnotations("[[using loopscope\n:\n fit]]"));
  EXPECT_TRUE(mayHoldAnnotations("[[__loopscope__::fit]]"));
  EXPECT_TRUE(mayHoldAnnotations("LOOPSCOPE_PHASE(\"x\")"));
  EXPECT_TRUE(mayHoldAnnotations("loopscope loopscope::fit"));
}

TEST(Scan, SkipsOtherTexts) {
  EXPECT_FALSE(mayHoldAnnotations(""));
  EXPECT_FALSE(mayHoldAnnotations("loopscope"));
  EXPECT_FALSE(mayHoldAnnotations("#include <loopscope/annotate.h>"));
  EXPECT_FALSE(mayHoldAnnotations("int LOOPSCOPE; // loopscope is a tool"));
}

/// A project with a source and headers, in its own directory.
class ScanFiles : public testing::Test {
protected:
  ScanFiles()
      : Root(std::filesystem::path(testing::TempDir()) / "loopscope-scan") {
    std::filesystem::remove_all(Root);
  }
  ~ScanFiles() override { std::filesystem::remove_all(Root); }

  void write(const std::string &Name, const std::string &Text) {
    std::filesystem::path Path = Root / Name;
    std::filesystem::create_directories(Path.parent_path());
    std::ofstream(Path) << Text;
  }

  ScanResult scan(std::vector<std::string> Flags) {
    Flags.insert(Flags.begin(), {"g++", "-c", "src/a.cpp"});
    CommandLine Line = parseCommandLine(Flags, Root.string());
    return scanSource(Line, Line.Sources.at(0), Root.string());
  }

  std::filesystem::path Root;
};

TEST_F(ScanFiles, FollowsIncludesOfTheProject) {
  write("src/a.cpp", "#include \"b.h\"\n#  include <vector>\n");
  write("src/b.h", "#pragma once\n#include <deep/c.h>\n#include \"b.h\"\n");
  write("inc/deep/c.h", "#include \"d.h\"\n");
  write("inc/deep/d.h", "[[loopscope::fit]] void f() {}\n");
  EXPECT_FALSE(scan({}).Annotations);
  EXPECT_TRUE(scan({"-Iinc"}).Annotations);
  EXPECT_TRUE(scan({"-iquote", "none", "-I", "inc"}).Annotations);
  EXPECT_FALSE(scan({"-isystem", "inc"}).Annotations);
}

TEST_F(ScanFiles, SaysYesToAHeaderThatAMacroNames) {
  write("src/a.cpp", "#include \"b.h\"\n");
  write("src/b.h", "#if X\n# include HEADER_OF(x)\n#endif\n");
  EXPECT_TRUE(scan({}).Annotations);
  write("src/b.h", "#includes\n#include\n#import <c.h>\n// #1 include it\n");
  EXPECT_FALSE(scan({}).Annotations);
}

TEST_F(ScanFiles, TakesTheFirstDirectoryThatHasAHeader) {
  write("src/a.cpp", "#include <h.h>\n");
  write("one/h.h", "\n");
  write("two/h.h", "LOOPSCOPE_FIT\n");
  EXPECT_FALSE(scan({"-Ione", "-Itwo"}).Annotations);
  EXPECT_TRUE(scan({"-Itwo", "-Ione"}).Annotations);
}

TEST_F(ScanFiles, SeesForcedIncludesAndOurHeaders) {
  write("src/a.cpp", "#include <loopscope/annotate.h>\n");
  write("forced.h", "LOOPSCOPE_FIT\n");
  EXPECT_FALSE(scan({}).Annotations);
  EXPECT_TRUE(scan({}).OurHeaders);
  EXPECT_TRUE(scan({"-include", "forced.h"}).Annotations);
  EXPECT_TRUE(scan({"-Xclang", "-include", "-Xclang", "forced.h"}).Annotations);
}

TEST_F(ScanFiles, IgnoresAMissingFile) {
  EXPECT_FALSE(scan({}).Annotations);
  EXPECT_FALSE(scan({}).OurHeaders);
}

} // namespace
