// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that are the ones that ran, and others.

#include "Symbols/Symbols.h"

#include "Symbols/ElfFile.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
constexpr const char *Own = "/proc/self/exe";

TEST(Symbols, AReplacedFileNamesNothing) {
  std::optional<ElfFile> File = ElfFile::read(Own);
  ASSERT_TRUE(File);
  Symbols S;
  EXPECT_EQ(S.stateOf(Own, File->buildId()), ObjectState::Same);
  EXPECT_EQ(S.stateOf(Own, "00"), ObjectState::Changed);
  EXPECT_EQ(S.stateOf("/nowhere", ""), ObjectState::Missing);
  for (const char *Id : {"00", "ff"}) {
    std::vector<SourceFrame> Frames = S.framesAt(Own, Id, 0x1000);
    ASSERT_EQ(Frames.size(), 1u);
    EXPECT_EQ(Frames[0].Function, "");
  }
}

TEST(Symbols, AnyAddressHasAFrame) {
  std::optional<ElfFile> File = ElfFile::read(Own);
  ASSERT_TRUE(File);
  Symbols S;
  for (uint64_t At : {uint64_t{0}, uint64_t{1}, UINT64_MAX, uint64_t{0x1234}})
    EXPECT_GE(S.framesAt(Own, File->buildId(), At).size(), 1u);
}
} // namespace
