// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Damaged input never crashes the reader or a view: a fixed sequence of
// mutations of a small trace, plain and gzipped. test/fuzz goes further.

#include "Gzip.h"
#include "Report/Views/BuildSection.h"
#include "Run/Kineto/KinetoReader.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

using namespace loopscope;

namespace {
const std::string Seed = R"({
  "schemaVersion": 1,
  "deviceProperties": [{"id": 0, "name": "V100", "totalGlobalMem": 100}],
  "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2},
  "traceEvents": [
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 5,
   "tid": 6, "ts": 0, "dur": 100},
  {"ph": "X", "cat": "cpu_op", "name": "aten::\u00e9", "pid": 5, "tid": 6,
   "ts": 10.5, "dur": 50.125, "args": {"External id": 2, "Input Dims": [[1]]}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5,
   "tid": 6, "ts": 20, "dur": 5, "args": {"External id": 2, "correlation": 7}},
  {"ph": "X", "cat": "kernel", "name": "_Z3addv", "pid": 0, "tid": 7,
   "ts": 40, "dur": 30, "args": {"External id": 2, "correlation": 7,
   "device": 0, "blocks per SM": 0.25, "est. achieved occupancy %": 31}},
  {"ph": "i", "s": "t", "name": "[memory]", "ts": 50, "args": {
   "Device Type": 1, "Device Id": 0, "Total Allocated": 95}}
]})";

const std::array<std::string, 12> Pieces = {
    "\"", "\\", "{",   "}",      "[",    "]",
    ",",  ":",  "NaN", "-9e999", "\xFF", std::string(1, '\0')};

// Prints every view of the readable part.
void exercise(const std::string &Bytes) {
  Result<loopscope::Run> Trace = readKinetoBytes(Bytes, TraceLimits{1 << 22});
  if (!Trace) {
    EXPECT_FALSE(Trace.error().Message.empty());
    return;
  }
  for (const View *Which : allViews()) {
    ViewOptions Options;
    sectionOf(*Trace, *Which, Options);
    Options.Output = Format::TensorBoardJson;
    sectionOf(*Trace, *Which, Options);
  }
}

std::string mutated(std::string Text, std::mt19937 &Random) {
  for (unsigned Left = Random() % 4 + 1; Left != 0 && !Text.empty(); --Left) {
    size_t At = Random() % Text.size();
    const std::string &Piece = Pieces[Random() % Pieces.size()];
    switch (Random() % 5) {
    case 0:
      Text.insert(At, Piece);
      break;
    case 1:
      Text.erase(At, Random() % 9 + 1);
      break;
    case 2:
      Text.replace(At, 1, Piece);
      break;
    case 3: // repeat a part, so that ids and tracks occur twice
      Text.insert(At, Text.substr(Random() % Text.size(), Random() % 200));
      break;
    default:
      Text[At] = static_cast<char>(Text[At] ^ (1 << Random() % 8));
      break;
    }
  }
  return Text;
}
} // namespace

TEST(Mutations, TheSeedIsValid) {
  Result<loopscope::Run> Trace = readKinetoBytes(Seed, {});
  ASSERT_TRUE(Trace);
  EXPECT_EQ(Trace->Stream.Events.size(), 4U);
  EXPECT_EQ(Trace->PeakMemory[0], 95);
  EXPECT_FALSE(Trace->Lost.Torn);
}

TEST(Mutations, Text) {
  std::mt19937 Random(2026);
  for (int Round = 0; Round < 1500; ++Round)
    exercise(mutated(Seed, Random));
}

TEST(Mutations, Gzip) {
  std::mt19937 Random(2027);
  std::string Packed = gzip(Seed);
  for (int Round = 0; Round < 1500; ++Round) {
    exercise(mutated(Packed, Random));
    exercise(gzip(mutated(Seed, Random)));
  }
}

// Numbers at the limits of their types.
TEST(Mutations, ExtremeNumbers) {
  for (const char *Number :
       {"-9223372036854775808", "9223372036854775807", "18446744073709551616",
        "2305843009213693", "-2305843009213693", "1e18", "-1e18", "1e-300"})
    for (const char *Field : {"10.5", "50.125", "\"dur\": 100", "7,", "0.25",
                              "31}", "95", "100}"}) {
      std::string Text = Seed;
      std::string New = Number;
      std::string Old = Field;
      if (Old.starts_with('"'))
        New = "\"dur\": " + New;
      if (Old.ends_with(',') || Old.ends_with('}'))
        New += Old.back();
      Text.replace(Text.find(Old), Old.size(), New);
      exercise(Text);
    }
}
