// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks from copies: this program's own, whole and cut at any length.

#include "Sample/CopiedStack.h"
#include "AsWritten.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

using namespace loopscope;

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
namespace {
// This process's code.
void loadOwnCode(LoadedCode &Into) {
  std::ifstream Maps("/proc/self/maps");
  for (std::string Line; std::getline(Maps, Line);) {
    std::istringstream From(Line);
    PerfMapping Next;
    uint64_t End = 0;
    char Dash = 0;
    std::string Rights, Device, Inode;
    From >> std::hex >> Next.Start >> Dash >> End >> Rights >>
        Next.FileOffset >> Device >> Inode >> Next.Path;
    Next.Pid = getpid();
    Next.Bytes = End - Next.Start;
    if (Rights.find('x') != std::string::npos)
      Into.add(Next);
  }
}

struct Copy {
  PerfSample Sample;
  std::vector<char> Bytes;
};

// The stack from here up to its end, which STACK_END is near.
AS_WRITTEN Copy copyHere(const char *StackEnd) {
  ucontext_t Context;
  getcontext(&Context);
  Copy Result;
  runtime::readInterrupted(&Context, Result.Sample.At);
  const auto *From = reinterpret_cast<const char *>(Result.Sample.At.Stack);
  Result.Bytes.assign(From, StackEnd);
  Result.Sample.Stack = Result.Bytes.data();
  Result.Sample.StackBytes = Result.Bytes.size();
  return Result;
}

AS_WRITTEN Copy copyBelow(int Depth, const char *StackEnd) {
  if (Depth == 0)
    return copyHere(StackEnd);
  Copy Result = copyBelow(Depth - 1, StackEnd);
  Result.Sample.Tid = Depth; // no tail call
  return Result;
}

// The end of the main thread's stack.
const char *stackEnd() {
  std::ifstream Maps("/proc/self/maps");
  for (std::string Line; std::getline(Maps, Line);)
    if (Line.ends_with("[stack]")) {
      uint64_t Start = 0;
      uint64_t End = 0;
      char Dash = 0;
      std::istringstream(Line) >> std::hex >> Start >> Dash >> End;
      return reinterpret_cast<const char *>(End);
    }
  return nullptr;
}

TEST(CopiedStack, WholeAndCut) {
  LoadedCode Code;
  loadOwnCode(Code);
  constexpr int Depth = 3;
  Copy Of = copyBelow(Depth, stackEnd());
  runtime::WalkedStack Whole = walkCopy(Of.Sample, Code);
  EXPECT_TRUE(Whole.IsWhole);
  EXPECT_FALSE(Whole.IsCut);
  EXPECT_FALSE(Whole.IsGuessed);
  ASSERT_GT(Whole.Depth, uint32_t(Depth) + 3);
  // The recursion.
  EXPECT_EQ(Whole.Frames[2], Whole.Frames[3]);

  uint32_t Longest = 0;
  for (size_t Bytes = 0; Bytes < std::min<size_t>(Of.Bytes.size(), 8192);
       Bytes += sizeof(uintptr_t)) {
    PerfSample Cut = Of.Sample;
    Cut.StackBytes = Bytes;
    Cut.IsCut = true;
    runtime::WalkedStack Found = walkCopy(Cut, Code);
    if (Found.IsWhole)
      break;
    EXPECT_TRUE(Found.IsCut) << Bytes;
    EXPECT_FALSE(Found.IsGuessed) << Bytes;
    EXPECT_LE(Found.Depth, Whole.Depth);
    EXPECT_TRUE(
        std::equal(Found.Frames, Found.Frames + Found.Depth, Whole.Frames))
        << Bytes;
    EXPECT_GE(Found.Depth, Longest);
    Longest = Found.Depth;
  }
  EXPECT_GT(Longest, 3U);
}

TEST(CopiedStack, UnknownCode) {
  LoadedCode Code;
  Copy Of = copyBelow(1, stackEnd());
  runtime::WalkedStack Found = walkCopy(Of.Sample, Code);
  EXPECT_EQ(Found.Depth, 1U);
}

TEST(LoadedCode, LaterMappingReplacesEarlier) {
  LoadedCode Code;
  PerfMapping Own{getpid(), 0x10000000, 0x1000, 0, "/proc/self/exe"};
  // The file's first page has no code.
  EXPECT_EQ(Code.add(Own), nullptr);
  EXPECT_EQ(Code.bytes(0x10000000, 1), nullptr);
  loadOwnCode(Code);
  auto Here = reinterpret_cast<uint64_t>(&stackEnd);
  ASSERT_NE(Code.bytes(Here, 1), nullptr);
  EXPECT_NE(Code.ruleAt(Here).Stack, runtime::CallerStack::Unknown);
  Code.add({getpid(), Here & ~uint64_t(4095), 4096, 0, "//anon"});
  EXPECT_EQ(Code.bytes(Here, 1), nullptr);
  EXPECT_EQ(Code.ruleAt(Here).Stack, runtime::CallerStack::Unknown);
}
} // namespace
#endif
