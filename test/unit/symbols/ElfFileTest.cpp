// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The test program reads its own file, and damaged copies of it.
#include "Symbols/ElfFile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <link.h>
#include <random>
#include <string>
#include <unistd.h>

using namespace loopscope;

extern "C" __attribute__((noinline, used)) int loopscope_known_function(int X) {
  return X + 1;
}

namespace {
// An address as an offset in the program's file.
uint64_t addressInFile(const void *Function) {
  ElfW(Addr) Bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *Program, size_t, void *Into) {
        *static_cast<ElfW(Addr) *>(Into) = Program->dlpi_addr;
        return 1;
      },
      &Bias);
  return reinterpret_cast<uint64_t>(Function) - Bias;
}

TEST(ElfFile, FindsFunctions) {
  std::optional<ElfFile> Own = ElfFile::read("/proc/self/exe");
  ASSERT_TRUE(Own);
  uint64_t At =
      addressInFile(reinterpret_cast<const void *>(&loopscope_known_function));
  EXPECT_EQ(Own->functionAt(At), "loopscope_known_function");
  EXPECT_EQ(Own->functionAt(At + 1), "loopscope_known_function");
  EXPECT_NE(Own->functionAt(At - 1), "loopscope_known_function");
  EXPECT_EQ(Own->functionAt(0), "");
  EXPECT_EQ(Own->functionAt(UINT64_MAX), "");
}

TEST(ElfFile, NoSuchFile) {
  EXPECT_FALSE(ElfFile::read("/nowhere"));
  EXPECT_FALSE(ElfFile::read("/dev/zero"));
  EXPECT_FALSE(ElfFile::read("/"));
  EXPECT_FALSE(ElfFile::read("/etc/passwd"));
}

TEST(ElfFile, DamagedFilesAreRead) {
  std::ifstream In("/proc/self/exe", std::ios::binary);
  std::string Whole((std::istreambuf_iterator<char>(In)),
                    std::istreambuf_iterator<char>());
  Elf64_Ehdr Header;
  std::memcpy(&Header, Whole.data(), sizeof(Header));
  char Path[] = "/tmp/loopscope-elf-XXXXXX";
  int File = mkstemp(Path);
  ASSERT_GE(File, 0);
  close(File);
  std::mt19937 Dice(17);
  for (int Turn = 0; Turn < 30; ++Turn) {
    std::string Damaged = Whole;
    // In the header, and in the sections' headers.
    for (int I = 0; I < 20; ++I) {
      Damaged[Dice() % sizeof(Header)] ^=
          static_cast<char>(I == 0 && Turn % 2 == 0 ? Dice() : 0);
      size_t Sections = Header.e_shnum * sizeof(Elf64_Shdr);
      Damaged[Header.e_shoff + Dice() % Sections] = static_cast<char>(Dice());
    }
    if (Turn % 3 == 0)
      Damaged.resize(Dice() % Damaged.size());
    std::ofstream(Path, std::ios::binary) << Damaged;
    if (std::optional<ElfFile> Found = ElfFile::read(Path)) {
      Found->functionAt(Dice());
    }
  }
  unlink(Path);
}
} // namespace
