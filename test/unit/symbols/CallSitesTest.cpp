// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of a function in the test program's own file, and in damaged ones.
#include "Symbols/CallSites.h"
#include "AsWritten.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <link.h>
#include <random>
#include <string>
#include <unistd.h>

using namespace loopscope;

#ifdef __x86_64__
namespace {
uint64_t Returned;

// Keeps where it returns to, as an offset in the program's file.
AS_WRITTEN void callee() {
  ElfW(Addr) Bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *Program, size_t, void *Into) {
        *static_cast<ElfW(Addr) *>(Into) = Program->dlpi_addr;
        return 1;
      },
      &Bias);
  Returned = reinterpret_cast<uint64_t>(__builtin_return_address(0)) - Bias;
}

AS_WRITTEN uint64_t firstCaller() {
  callee();
  return Returned;
}

AS_WRITTEN uint64_t secondCaller() {
  callee();
  return Returned + 0;
}

AS_WRITTEN uint64_t indirectCaller() {
  void (*volatile Callee)() = callee;
  Callee();
  return Returned;
}

TEST(CallSites, FindsAllDirectCalls) {
  uint64_t First = firstCaller() - 1;
  uint64_t Second = secondCaller() - 1;
  ASSERT_NE(First, Second);
  std::vector<uint64_t> Found = callsOfSameFunction("/proc/self/exe", First, 8);
  EXPECT_EQ(Found.size(), 2U);
  EXPECT_TRUE(std::is_sorted(Found.begin(), Found.end()));
  EXPECT_TRUE(std::count(Found.begin(), Found.end(), First));
  EXPECT_TRUE(std::count(Found.begin(), Found.end(), Second));
  EXPECT_EQ(callsOfSameFunction("/proc/self/exe", Second, 8), Found);
  EXPECT_TRUE(callsOfSameFunction("/proc/self/exe", First, 1).empty());
}

TEST(CallSites, OthersAreNone) {
  uint64_t Indirect = indirectCaller() - 1;
  EXPECT_TRUE(callsOfSameFunction("/proc/self/exe", Indirect, 8).empty());
  for (uint64_t Address : {uint64_t{0}, uint64_t{3}, UINT64_MAX})
    EXPECT_TRUE(callsOfSameFunction("/proc/self/exe", Address, 8).empty());
  for (const char *Path : {"/nowhere", "/dev/zero", "/", "/etc/passwd"})
    EXPECT_TRUE(callsOfSameFunction(Path, Indirect, 8).empty());
}

TEST(CallSites, DamagedFilesAreRead) {
  std::ifstream In("/proc/self/exe", std::ios::binary);
  std::string Whole((std::istreambuf_iterator<char>(In)),
                    std::istreambuf_iterator<char>());
  uint64_t Address = firstCaller() - 1;
  char Path[] = "/tmp/loopscope-calls-XXXXXX";
  int File = mkstemp(Path);
  ASSERT_GE(File, 0);
  close(File);
  std::minstd_rand Random(1);
  for (int I = 0; I < 200; ++I) {
    // The head and the table of segments follow each other.
    std::string Damaged = Whole.substr(0, 4096);
    for (int J = 0; J < 4; ++J)
      Damaged[Random() % 1024] = static_cast<char>(Random());
    std::ofstream(Path, std::ios::binary) << Damaged;
    callsOfSameFunction(Path, Address, 8);
  }
  unlink(Path);
}
} // namespace
#endif
