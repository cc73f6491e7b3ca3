// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of perf events as plain values: each field is where the kernel puts
// it, and a record that is cut off at any length is left out.

#include "Sample/PerfRecords.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

using namespace loopscope;

#if defined(__x86_64__)
namespace {
// A record, written field by field.
class Record {
public:
  explicit Record(uint32_t Type, uint16_t Misc = 0) {
    put(perf_event_header{Type, Misc, 0});
  }
  template <typename T> Record &put(const T &Value) {
    const auto *From = reinterpret_cast<const char *>(&Value);
    Bytes.insert(Bytes.end(), From, From + sizeof(Value));
    return *this;
  }
  Record &text(const char *Value) {
    Bytes.insert(Bytes.end(), Value, Value + std::strlen(Value) + 1);
    while (Bytes.size() % sizeof(uint64_t) != 0)
      Bytes.push_back(0);
    return *this;
  }

  // Visits its first SIZE bytes.
  void visit(PerfVisitor &Visitor, size_t Size) const {
    std::vector<char> Copy(Bytes.begin(),
                           Bytes.begin() + static_cast<ptrdiff_t>(Size));
    auto *Head = reinterpret_cast<perf_event_header *>(Copy.data());
    Head->size = static_cast<uint16_t>(Size);
    visitRecord(Head, Head->type == PERF_RECORD_SAMPLE, Visitor);
  }
  void visit(PerfVisitor &Visitor) const { visit(Visitor, Bytes.size()); }
  size_t size() const { return Bytes.size(); }

private:
  std::vector<char> Bytes;
};

struct Seen : PerfVisitor {
  std::vector<PerfSample> Samples;
  std::vector<PerfMapping> Mappings;
  std::vector<int> Executed;
  uint64_t Lost = 0;
  std::vector<char> Stack; // of the last sample

  void sampled(const PerfSample &Of) override {
    Samples.push_back(Of);
    Stack.assign(Of.Stack, Of.Stack + Of.StackBytes);
  }
  void mapped(const PerfMapping &Of) override { Mappings.push_back(Of); }
  void executed(int Pid) override { Executed.push_back(Pid); }
  void lost(uint64_t Count) override { Lost += Count; }
};

Record sample(uint64_t Room, uint64_t Copied) {
  Record Result(PERF_RECORD_SAMPLE);
  Result.put(int32_t(7)).put(int32_t(8));
  Result.put(uint64_t(PERF_SAMPLE_REGS_ABI_64));
  Result.put(uint64_t(0xb)).put(uint64_t(0x5)).put(uint64_t(0x1));
  Result.put(Room);
  for (uint64_t I = 0; I < Room; ++I)
    Result.put(static_cast<char>(I));
  if (Room != 0)
    Result.put(Copied);
  return Result;
}

TEST(PerfRecords, Sample) {
  Seen Into;
  sample(64, 24).visit(Into);
  ASSERT_EQ(Into.Samples.size(), 1U);
  const PerfSample &Of = Into.Samples[0];
  EXPECT_EQ(Of.Pid, 7);
  EXPECT_EQ(Of.Tid, 8);
  EXPECT_EQ(Of.At.Frame, 0xbU);
  EXPECT_EQ(Of.At.Stack, 0x5U);
  EXPECT_EQ(Of.At.Instruction, 0x1U);
  ASSERT_EQ(Into.Stack.size(), 24U);
  EXPECT_EQ(Into.Stack[23], 23);
  EXPECT_FALSE(Of.IsCut);
}

TEST(PerfRecords, StackThatFillsItsRoomIsCut) {
  Seen Into;
  sample(64, 64).visit(Into);
  ASSERT_EQ(Into.Samples.size(), 1U);
  EXPECT_TRUE(Into.Samples[0].IsCut);
  EXPECT_EQ(Into.Stack.size(), 64U);
}

TEST(PerfRecords, NoRegistersNoSample) {
  Seen Into;
  Record Of(PERF_RECORD_SAMPLE);
  Of.put(int32_t(7)).put(int32_t(8));
  Of.put(uint64_t(PERF_SAMPLE_REGS_ABI_NONE)).put(uint64_t(0));
  Of.visit(Into);
  EXPECT_TRUE(Into.Samples.empty());
}

TEST(PerfRecords, Mapping) {
  Seen Into;
  Record Of(PERF_RECORD_MMAP2);
  Of.put(int32_t(7)).put(int32_t(8));
  Of.put(uint64_t(0x401000)).put(uint64_t(0x2000)).put(uint64_t(0x1000));
  Of.put(uint32_t(1)).put(uint32_t(2)).put(uint64_t(3)).put(uint64_t(4));
  Of.put(uint32_t(5)).put(uint32_t(6)).text("/a/program");
  Of.visit(Into);
  ASSERT_EQ(Into.Mappings.size(), 1U);
  EXPECT_EQ(Into.Mappings[0].Pid, 7);
  EXPECT_EQ(Into.Mappings[0].Start, 0x401000U);
  EXPECT_EQ(Into.Mappings[0].Bytes, 0x2000U);
  EXPECT_EQ(Into.Mappings[0].FileOffset, 0x1000U);
  EXPECT_EQ(Into.Mappings[0].Path, "/a/program");
}

TEST(PerfRecords, OnlyAnExecutedProgramCounts) {
  Seen Into;
  auto Named = [](uint16_t Misc) {
    Record Result(PERF_RECORD_COMM, Misc);
    Result.put(int32_t(7)).put(int32_t(8)).text("name");
    return Result;
  };
  Named(0).visit(Into);
  EXPECT_TRUE(Into.Executed.empty());
  Named(PERF_RECORD_MISC_COMM_EXEC).visit(Into);
  EXPECT_EQ(Into.Executed, std::vector<int>{7});
}

TEST(PerfRecords, Lost) {
  Seen Into;
  Record Of(PERF_RECORD_LOST);
  Of.put(uint64_t(1)).put(uint64_t(12)).visit(Into);
  EXPECT_EQ(Into.Lost, 12U);
}

TEST(PerfRecords, CutRecordsAreLeftOut) {
  Seen Into;
  Record Of = sample(64, 24);
  for (size_t Size = sizeof(perf_event_header); Size < Of.size(); ++Size)
    Of.visit(Into, Size);
  EXPECT_TRUE(Into.Samples.empty());
  // More stack than the record has.
  Record Odd(PERF_RECORD_SAMPLE);
  Odd.put(int32_t(7)).put(int32_t(8));
  Odd.put(uint64_t(PERF_SAMPLE_REGS_ABI_64));
  Odd.put(uint64_t(0)).put(uint64_t(0)).put(uint64_t(0)).put(~uint64_t(0));
  Odd.visit(Into);
  EXPECT_TRUE(Into.Samples.empty());
}
} // namespace
#endif
