// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted calls behind the last chunk of a profile, or nothing at all.

#include "Run/Read/AppendCalls.h"

#include "ProfileDescription.h"
#include "Run/Read/ProfileReader.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

using namespace loopscope;

namespace {
// The number of a process that has ended.
int endedProcess() {
  pid_t Child = fork();
  if (Child == 0)
    _exit(0);
  waitpid(Child, nullptr, 0);
  return Child;
}

class AppendCalls : public testing::Test {
protected:
  void SetUp() override {
    int File = mkstemp(Path);
    ASSERT_GE(File, 0);
    close(File);
    write(describedProfile("wall 1s\nthread main\n  fit fit spans=900ms\n"));
  }
  void TearDown() override { unlink(Path); }

  void write(const std::string &Bytes) {
    std::ofstream(Path, std::ios::binary) << Bytes;
  }
  std::string bytes() {
    std::ifstream In(Path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(In)),
                       std::istreambuf_iterator<char>());
  }
  // Makes the profile process PID's.
  void setPid(int32_t Pid) {
    std::string Changed = bytes();
    std::memcpy(&Changed[offsetof(loopscope_profile_header, pid)], &Pid,
                sizeof(Pid));
    write(Changed);
  }

  char Path[40] = "/tmp/loopscope-append-XXXXXX";
  const std::vector<loopscope_call_count> Counts = {{0x1000, 7, 1000, 0, 0},
                                                    {0x2000, 9, 1000, 1, 0}};
};

TEST_F(AppendCalls, AreReadBack) {
  int Pid = endedProcess();
  setPid(Pid);
  Result<loopscope::Run> Before = readProfile(Path);
  ASSERT_TRUE(Before);
  appendCalls(Path, Pid, Counts);
  Result<loopscope::Run> After = readProfile(Path);
  ASSERT_TRUE(After);
  // No code is known at these addresses, which is counted for each of them.
  EXPECT_EQ(After->Lost.BadRecords, Before->Lost.BadRecords + Counts.size());
  EXPECT_EQ(After->Nodes.size(), Before->Nodes.size());
  EXPECT_EQ(After->Lost.BytesMissing, 0U);
}

TEST_F(AppendCalls, OthersStayAsTheyAre) {
  int Pid = endedProcess();
  setPid(getpid()); // is running
  std::string Before = bytes();
  appendCalls(Path, getpid(), Counts);
  appendCalls(Path, Pid, Counts);
  EXPECT_EQ(bytes(), Before);
  setPid(Pid);
  Before = bytes();
  appendCalls(Path, Pid, {});
  EXPECT_EQ(bytes(), Before);
  for (size_t Size : {size_t{0}, size_t{100}, size_t{4096}}) {
    write(Before.substr(0, Size));
    appendCalls(Path, Pid, Counts);
    EXPECT_EQ(bytes(), Before.substr(0, Size));
  }
  appendCalls("/nowhere", Pid, Counts);
}
} // namespace
