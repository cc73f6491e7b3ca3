// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code and tables of frames from a file: a table that is made of .eh_frame
// gives the linker's rules, and damaged files give no rule outside their bytes.

#include "Sample/ElfImage.h"

#include "stacks/frame_rules.h"

#include <gtest/gtest.h>

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>

using namespace loopscope;
namespace fs = std::filesystem;

#if defined(__x86_64__)
namespace {
class ElfImageTest : public testing::Test {
protected:
  ElfImageTest() {
    std::ifstream From("/proc/self/exe", std::ios::binary);
    Own.assign(std::istreambuf_iterator<char>(From), {});
    std::memcpy(&Head, Own.data(), sizeof(Head));
    Path =
        fs::temp_directory_path() / ("elf-image-" + std::to_string(getpid()));
  }
  ~ElfImageTest() override { fs::remove(Path); }

  Elf64_Phdr part(unsigned I) const {
    Elf64_Phdr Result;
    std::memcpy(&Result, Own.data() + Head.e_phoff + I * sizeof(Result),
                sizeof(Result));
    return Result;
  }
  std::unique_ptr<ElfImage> readAs(const std::string &Bytes) const {
    std::ofstream(Path, std::ios::binary) << Bytes;
    return ElfImage::read(Path.string());
  }

  std::string Own; // this program's file
  Elf64_Ehdr Head;
  fs::path Path;
};

runtime::FrameRule ruleIn(const ElfImage &Of, uint64_t Address) {
  runtime::Readable Tables;
  return runtime::readFrameRule(
      reinterpret_cast<uintptr_t>(Of.frameTable()),
      reinterpret_cast<uintptr_t>(Of.bytes(Address, 1)), Tables);
}

TEST_F(ElfImageTest, MadeTableEqualsTheLinkers) {
  std::unique_ptr<ElfImage> Linked = readAs(Own);
  std::string Changed = Own;
  Elf64_Phdr Code{};
  for (unsigned I = 0; I < Head.e_phnum; ++I) {
    Elf64_Phdr Each = part(I);
    if (Each.p_type == PT_LOAD && (Each.p_flags & PF_X) != 0)
      Code = Each;
    if (Each.p_type != PT_GNU_EH_FRAME)
      continue;
    Each.p_type = PT_NULL;
    std::memcpy(Changed.data() + Head.e_phoff + I * sizeof(Each), &Each,
                sizeof(Each));
  }
  std::unique_ptr<ElfImage> Made = readAs(Changed);
  ASSERT_TRUE(Linked && Made && Linked->frameTable() && Made->frameTable());
  uint64_t Known = 0;
  uint64_t Different = 0;
  constexpr uint64_t Step = 3;
  for (uint64_t At = Code.p_vaddr; At < Code.p_vaddr + Code.p_filesz;
       At += Step) {
    runtime::FrameRule A = ruleIn(*Linked, At);
    runtime::FrameRule B = ruleIn(*Made, At);
    Known += A.Stack == runtime::CallerStack::Unknown ? 0 : 1;
    Different +=
        std::memcmp(static_cast<void *>(&A), &B, sizeof(A)) == 0 ? 0 : 1;
  }
  EXPECT_GT(Known, 1000U);
  EXPECT_EQ(Different, 0U);
}

TEST_F(ElfImageTest, AddressesFollowTheFile) {
  std::unique_ptr<ElfImage> Image = readAs(Own);
  ASSERT_TRUE(Image);
  EXPECT_FALSE(Image->addressOf(Own.size()));
  for (unsigned I = 0; I < Head.e_phnum; ++I) {
    Elf64_Phdr Each = part(I);
    if (Each.p_type != PT_LOAD || (Each.p_flags & PF_X) == 0)
      continue;
    EXPECT_EQ(Image->addressOf(Each.p_offset), Each.p_vaddr);
    EXPECT_EQ(std::memcmp(Image->bytes(Each.p_vaddr, 64),
                          Own.data() + Each.p_offset, 64),
              0);
  }
  EXPECT_EQ(Image->bytes(UINT64_MAX, 1), nullptr);
  EXPECT_EQ(Image->bytes(0, UINT64_MAX), nullptr);
}

TEST_F(ElfImageTest, KernelsCode) {
  std::unique_ptr<ElfImage> Image = ElfImage::ofKernel();
  ASSERT_TRUE(Image);
  EXPECT_NE(Image->frameTable(), nullptr);
}

TEST_F(ElfImageTest, NoProgram) {
  EXPECT_FALSE(readAs(""));
  EXPECT_FALSE(readAs("#!/bin/sh\n"));
  EXPECT_FALSE(ElfImage::read("/nowhere"));
}

TEST_F(ElfImageTest, DamagedFiles) {
  std::mt19937 Random(1);
  uint64_t Read = 0;
  for (int Round = 0; Round < 200; ++Round) {
    std::string Bytes = Own;
    // In the headers of the file, of its segments or of its sections.
    size_t First = Round % 2 == 0 ? 0 : Head.e_shoff;
    size_t Size = Round % 2 == 0 ? 1024 : Own.size() - Head.e_shoff;
    for (int I = 0; I < 4; ++I)
      Bytes[First + Random() % Size] = static_cast<char>(Random());
    if (Round % 8 == 0)
      Bytes.resize(Random() % Own.size());
    std::unique_ptr<ElfImage> Image = readAs(Bytes);
    if (!Image || Image->frameTable() == nullptr)
      continue;
    ++Read;
    for (uint64_t At = 0; At < Own.size(); At += 4099)
      if (Image->bytes(At, 1) != nullptr)
        ruleIn(*Image, At);
  }
  EXPECT_GT(Read, 20U);
}
} // namespace
#endif
