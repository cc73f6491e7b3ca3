// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular files are replaced as a whole or left unchanged;
// test/tools/output-targets.py tries all other kinds of targets through the
// programs.

#include "Support/OutputFile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {

class OutputFile : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = testing::TempDir() + "loopscope-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Directory = Template;
  }
  void TearDown() override { fs::remove_all(Directory); }

  std::string path(const char *Name) const { return Directory / Name; }
  std::string content(const char *Name) const {
    std::ifstream In(path(Name), std::ios::binary);
    return {std::istreambuf_iterator<char>(In), {}};
  }
  mode_t mode(const char *Name) const {
    struct stat Status = {};
    return stat(path(Name).c_str(), &Status) == 0 ? Status.st_mode & 07777 : 0;
  }
  long files() const {
    return std::distance(fs::directory_iterator(Directory), {});
  }

  fs::path Directory;
};

TEST_F(OutputFile, MakesAFileByTheUmask) {
  mode_t Before = umask(027);
  Result<Written> R = writeOutputFile(path("new"), "text\n");
  umask(Before);
  ASSERT_TRUE(R);
  EXPECT_EQ(*R, Written::File);
  EXPECT_EQ(content("new"), "text\n");
  EXPECT_EQ(mode("new"), 0640U);
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, ReplacesAFileAndKeepsItsMode) {
  ASSERT_TRUE(writeOutputFile(path("old"), "a longer text"));
  ASSERT_EQ(chmod(path("old").c_str(), 0604), 0);
  ASSERT_TRUE(writeOutputFile(path("old"), "short"));
  EXPECT_EQ(content("old"), "short");
  EXPECT_EQ(mode("old"), 0604U);
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, WritesThroughALink) {
  ASSERT_TRUE(writeOutputFile(path("target"), "before"));
  fs::create_symlink("target", path("link"));
  ASSERT_TRUE(writeOutputFile(path("link"), "after"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("target"), "after");
}

TEST_F(OutputFile, LeavesAnEqualFileOnRequest) {
  ASSERT_TRUE(writeOutputFile(path("same"), "text"));
  fs::file_time_type Long =
      fs::file_time_type::clock::now() - std::chrono::hours(5);
  fs::last_write_time(path("same"), Long);
  fs::file_time_type Set = fs::last_write_time(path("same"));
  ASSERT_TRUE(writeOutputFile(path("same"), "text", Existing::KeepEqual));
  EXPECT_EQ(fs::last_write_time(path("same")), Set);
  ASSERT_TRUE(writeOutputFile(path("same"), "other", Existing::KeepEqual));
  EXPECT_EQ(content("same"), "other");
}

TEST_F(OutputFile, RefusesAnExistingFileOnRequest) {
  ASSERT_TRUE(writeOutputFile(path("there"), "mine"));
  Result<Written> R = writeOutputFile(path("there"), "yours", Existing::Refuse);
  ASSERT_FALSE(R);
  EXPECT_NE(R.error().Message.find(path("there")), std::string::npos);
  EXPECT_EQ(content("there"), "mine");
}

TEST_F(OutputFile, RefusesADirectory) {
  Result<Written> R = writeOutputFile(Directory, "text");
  ASSERT_FALSE(R);
  EXPECT_NE(R.error().Message.find(Directory.string()), std::string::npos);
}

TEST_F(OutputFile, RecognisesOneFileByTwoNames) {
  ASSERT_TRUE(writeOutputFile(path("a"), "text"));
  ASSERT_TRUE(writeOutputFile(path("b"), "text"));
  fs::create_symlink("a", path("c"));
  EXPECT_TRUE(isSameFile(path("a"), path("c")));
  EXPECT_FALSE(isSameFile(path("a"), path("b")));
  EXPECT_FALSE(isSameFile(path("none"), path("none")));
}

TEST_F(OutputFile, KnowsStandardOutput) {
  EXPECT_TRUE(isStandardOutput("-"));
  EXPECT_TRUE(isStandardOutput("/dev/stdout"));
  EXPECT_FALSE(isStandardOutput(path("-")));
}

} // namespace
