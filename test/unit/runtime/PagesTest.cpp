// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profiles on kernels with pages of 64 KiB, which Arm servers often have: a
// file can be mapped from multiples of 64 KiB only. Here a filter of system
// calls makes the kernel as strict.

#include "Fixture.h"

#include "Run/Read/ProfileReader.h"
#include "base/memory.h"
#include "process/process.h"
#include "profile/lost_file.h"
#include "profile/profile_file.h"

#include <loopscope/loopscope.h>

#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t LargePage = 65536;

/// From now on, shared mappings at other offsets fail. False: not possible
/// here.
bool beStrict() {
  constexpr uint32_t Flags = offsetof(seccomp_data, args[3]);
  constexpr uint32_t Offset = offsetof(seccomp_data, args[5]);
  sock_filter Rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, Flags),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, Offset),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, LargePage - 1, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog Program = {static_cast<unsigned short>(std::size(Rules)), Rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program) == 0;
}

class PagesTest : public RuntimeTest {
protected:
  ~PagesTest() override { pretendPageSize(0); }

  /// Visits so many call paths that the profile has several chunks of nodes.
  static void visitMany() {
    for (int I = 0; I < 3000; ++I) {
      loopscope_token Token =
          __loopscope_enter(site("phase " + std::to_string(I)));
      advance(10);
      __loopscope_leave(Token);
    }
  }

  /// What is wrong with the profile of visitMany(); "" if nothing.
  static std::string check() {
    if (!isWhole())
      return "the profile isn't whole";
    loopscope::Result<loopscope::Run> Read = loopscope::readProfile(finish());
    if (!Read)
      return Read.error().Message;
    size_t Visited = 0;
    for (const loopscope::Node &Each : Read->Nodes)
      Visited += Each.Spans.count() == 1 ? 1 : 0;
    return Visited == 3000 ? "" : std::to_string(Visited) + " call paths";
  }
};
} // namespace

TEST_F(PagesTest, PagesOfABuffer) {
  pretendPageSize(LargePage);
  auto *At = reinterpret_cast<char *>(uintptr_t(LargePage) * 7 + 4096);
  Pages Some = pagesOf(At, 4096);
  EXPECT_EQ(Some.Begin, At - 4096);
  EXPECT_EQ(Some.Size, LargePage);
  EXPECT_EQ(pagesOf(At, LargePage).Size, 2 * LargePage);
}

TEST_F(PagesTest, FileGrowsOnLargePages) {
  pid_t Child = fork();
  if (Child == 0) {
    constexpr int Impossible = 77;
    forgetRun();
    if (!beStrict())
      _exit(Impossible);
    visitMany();
    bool IsStrict = !isWhole();
    forgetRun();
    pretendPageSize(LargePage);
    visitMany();
    std::string Wrong = IsStrict ? check() : "the filter filters nothing";
    fputs(Wrong.c_str(), stderr);
    _exit(Wrong.empty() ? 0 : 1);
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == 77)
    GTEST_SKIP() << "system calls can't be filtered here";
  EXPECT_EQ(Status, 0);
}

// The same bytes, whatever the size of pages is.
TEST_F(PagesTest, SizeOfTheFile) {
  visitMany();
  uint64_t Small = Header->used_bytes;
  forgetRun();
  pretendPageSize(LargePage);
  visitMany();
  EXPECT_EQ(Header->used_bytes, Small);
  EXPECT_EQ(check(), "");
}

// Everything stays readable when mappings are replaced because the file is
// lost.
TEST_F(PagesTest, ReplacedMappings) {
  pretendPageSize(LargePage);
  visitMany();
  EXPECT_EQ(replacePieces(), Loss::Kept);
  EXPECT_EQ(node("phase 0").count, 1U);
  EXPECT_EQ(node("phase 2999").count, 1U);
  loopscope_token Token = __loopscope_enter(site("phase 2999"));
  __loopscope_leave(Token);
  EXPECT_EQ(node("phase 2999").count, 2U);
}

// Everything can be read in a file that was cut and has grown again, but a
// chunk without its header isn't what was written.
TEST_F(PagesTest, ZeroedChunk) {
  visitMany();
  ASSERT_NE(nextChunk(firstChunk()), nullptr);
  firstChunk()->magic = 0;
  EXPECT_EQ(replacePieces(), Loss::Lost);
  EXPECT_EQ(__loopscope_enter(site("phase 0")), nullptr);
}
