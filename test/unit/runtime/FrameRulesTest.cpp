// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of frames from tables that are damaged, or partly gone: whatever is
// read, the search ends, and nothing outside the table is touched.

#include "base/memory.h"
#include "stacks/frame_rules.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace loopscope::runtime;

#if defined(__x86_64__)
namespace {
// This program's tables of frames, with the segment around them.
struct Table {
  uintptr_t Header = 0;
  uintptr_t Start = 0;
  uintptr_t End = 0;
  uintptr_t Code = 0; // some code that it describes
  uintptr_t CodeEnd = 0;
};

int findTable(dl_phdr_info *Object, size_t /*Size*/, void *Into) {
  Table &Found = *static_cast<Table *>(Into);
  for (int I = 0; I < Object->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Part = Object->dlpi_phdr[I];
    uintptr_t Start = Object->dlpi_addr + Part.p_vaddr;
    if (Part.p_type == PT_GNU_EH_FRAME)
      Found.Header = Start;
    if (Part.p_type != PT_LOAD)
      continue;
    if ((Part.p_flags & PF_X) != 0) {
      Found.Code = Start;
      Found.CodeEnd = Start + Part.p_memsz;
    } else if ((Part.p_flags & PF_W) == 0) {
      Found.Start = Start; // of a program, the last one has the tables
      Found.End = Start + Part.p_memsz;
    }
  }
  return 1; // the program comes first
}

bool operator==(const FrameRule &A, const FrameRule &B) {
  return std::memcmp(static_cast<const void *>(&A), &B, sizeof(A)) == 0;
}

class FrameRulesTest : public testing::Test {
protected:
  FrameRulesTest() {
    dl_iterate_phdr(findTable, &Own);
    Bytes = Own.End - Own.Start;
    Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    restore();
  }
  ~FrameRulesTest() override { munmap(Memory, Bytes); }

  // By the kernel: AddressSanitizer forbids what lies between variables.
  void restore() {
    int File = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(pread(File, Memory, Bytes, static_cast<off_t>(Own.Start)),
              static_cast<ssize_t>(Bytes));
    close(File);
  }
  [[nodiscard]] unsigned char *copy() const {
    return static_cast<unsigned char *>(Memory);
  }

  // The rule at ADDRESS of the program by the copy.
  [[nodiscard]] FrameRule ruleInCopy(uintptr_t Address) const {
    Readable Tables;
    uintptr_t Moved = reinterpret_cast<uintptr_t>(Memory) - Own.Start;
    return readFrameRule(Own.Header + Moved, Address + Moved, Tables);
  }

  uintptr_t someCode() { return Own.Code + Dice() % (Own.CodeEnd - Own.Code); }

  Table Own;
  size_t Bytes = 0;
  void *Memory = nullptr;
  std::mt19937_64 Dice{3};
};
} // namespace

// The copy equals the table, so that the tests below test something.
TEST_F(FrameRulesTest, ACopySaysTheSame) {
  ASSERT_TRUE(Own.Header >= Own.Start && Own.Header < Own.End);
  int Known = 0;
  for (int I = 0; I < 5000; ++I) {
    uintptr_t Address = someCode();
    Readable Tables;
    FrameRule Rule = readFrameRule(Own.Header, Address, Tables);
    Known += Rule.Stack != CallerStack::Unknown ? 1 : 0;
    ASSERT_TRUE(ruleInCopy(Address) == Rule);
  }
  EXPECT_GT(Known, 4000);
}

TEST_F(FrameRulesTest, DamagedTables) {
  uintptr_t First = Own.Header - Own.Start;
  int Changed = 0;
  for (int Round = 0; Round < 100; ++Round) {
    restore();
    // From single bits to whole stretches.
    for (int I = 0; I < 1 << Round % 12; ++I)
      copy()[First + Dice() % (Bytes - First)] =
          static_cast<unsigned char>(Round % 3 == 0 ? 0xff : Dice());
    if (Round % 5 == 0) // its head
      copy()[First + Dice() % 12] = static_cast<unsigned char>(Dice());
    for (int I = 0; I < 200; ++I) {
      uintptr_t Address = someCode();
      Readable Tables;
      Changed +=
          ruleInCopy(Address) == readFrameRule(Own.Header, Address, Tables) ? 0
                                                                            : 1;
    }
  }
  EXPECT_GT(Changed, 100);
}

// Pages of it are gone: an object was unloaded.
TEST_F(FrameRulesTest, MissingPages) {
  size_t Page = pageSize();
  uintptr_t First = (Own.Header - Own.Start) / Page;
  int Asked = 0;
  int Unknown = 0;
  for (uintptr_t Gone = Bytes / Page; Gone-- > First;) {
    mprotect(copy() + Gone * Page, Page, PROT_NONE);
    for (int I = 0; I < 20; ++I, ++Asked)
      Unknown += ruleInCopy(someCode()).Stack == CallerStack::Unknown ? 1 : 0;
  }
  EXPECT_GT(Unknown, Asked / 4);
  EXPECT_EQ(ruleInCopy(someCode()).Stack, CallerStack::Unknown);
}
#endif
