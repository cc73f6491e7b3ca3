// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader on valid, damaged and randomly mutated profiles.

#include "Run/Read/ProfileReader.h"

#include "ProfileDescription.h"
#include "Report/Print/Printers.h"
#include "Report/Views/BuildSection.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <span>
#include <thread>
#include <unistd.h>

using namespace loopscope;

namespace {
const char *const Description = R"(
wall 10s
hook 20 10
warmup 1
missing lost.cpp
thread main
  fit fit spans=9s
    train train spans=2x4s
      step spans=2x100ms samples=64 rates=640 warmup
        draw spans=2x20ms
        batch spans=2x80ms
          phase forward spans=2x50ms
      step spans=50x100ms samples=1600 uncounted=500ms open=1s
        draw spans=50x20ms uncounted=500ms
        batch spans=50x80ms open=500ms
          phase forward spans=50x50ms
            phase forward spans=50x5ms
thread worker lived=3s
  phase decode spans=3x100ms
)";

Result<loopscope::Run> parse(const std::string &Bytes) {
  return readProfile(std::as_bytes(std::span(Bytes)), "test");
}

// Prints every view in every format; only crashes matter.
void report(const Run &R) {
  for (Format Output : {Format::Text, Format::Csv, Format::Json})
    for (const View *Which : allViews()) {
      ViewOptions Options;
      Options.Output = Output;
      Result<Section> S = sectionOf(R, *Which, Options);
      if (S)
        print({*S}, Options.Output, Options.Bare, Terminal{80});
    }
}

void expectToAddUp(const Run &R) {
  for (const Node &N : R.Nodes) {
    int64_t Inside = N.SelfNs + N.HookNs;
    for (uint32_t Child : N.Children)
      Inside = saturatingAdd(Inside, R.Nodes[Child].InclusiveNs);
    EXPECT_EQ(Inside, N.InclusiveNs);
    EXPECT_GE(N.SelfNs, 0);
  }
}
} // namespace

TEST(ProfileReader, EveryNodeAddsUp) {
  Result<loopscope::Run> R = parse(describedProfile(Description));
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Nodes.size(), 14u);
  EXPECT_EQ(R->Lost.BadRecords, 0u);
  EXPECT_EQ(R->Lost.MissingFiles, std::vector<std::string>{"lost.cpp"});
  expectToAddUp(*R);
}

// A running program makes its file longer, then its header says so.
TEST(ProfileReader, AGrowingFileIsNotTruncated) {
  std::string Path = testing::TempDir() + "growing.loopscope";
  std::string Whole = describedProfile(Description);
  std::ofstream(Path, std::ios::binary) << Whole;
  std::atomic<bool> IsOver = false;
  std::thread Program([&] {
    int File = open(Path.c_str(), O_RDWR | O_CLOEXEC);
    for (uint64_t Size = Whole.size(); !IsOver;) {
      Size += LOOPSCOPE_PROFILE_PAGE;
      EXPECT_EQ(ftruncate(File, static_cast<off_t>(Size)), 0);
      EXPECT_EQ(pwrite(File, &Size, sizeof(Size),
                       offsetof(loopscope_profile_header, used_bytes)),
                static_cast<ssize_t>(sizeof(Size)));
    }
    close(File);
  });
  for (int I = 0; I < 300; ++I) {
    Result<loopscope::Run> R = readProfile(Path);
    EXPECT_TRUE(R);
    EXPECT_EQ(R->Lost.BytesMissing, 0U);
  }
  IsOver = true;
  Program.join();
  // What is missing for good is said.
  EXPECT_EQ(truncate(Path.c_str(), 8192), 0);
  EXPECT_GT(readProfile(Path)->Lost.BytesMissing, 0U);
  std::remove(Path.c_str());
}

TEST(ProfileReader, EveryTruncationIsReadOrRefused) {
  std::string Whole = describedProfile(Description);
  for (size_t Length = 0; Length < Whole.size(); Length += 509) {
    Result<loopscope::Run> R = parse(Whole.substr(0, Length));
    if (!R) {
      EXPECT_FALSE(R.error().Message.empty());
      continue;
    }
    EXPECT_NE(R->Lost.BytesMissing, 0u);
    expectToAddUp(*R);
    report(*R);
  }
}

// Deterministic; a fuzzer runs longer.
TEST(ProfileReader, MutationsNeverBreakIt) {
  const std::string Whole = describedProfile(Description);
  std::mt19937_64 Random(4711);
  // Values that are extreme as an offset, count or index.
  const uint64_t Wild[] = {0,          1,          2,
                           0xff,       0xffffffff, 0x7fffffffffffffff,
                           UINT64_MAX, 4096,       0x80000000};
  for (int Round = 0; Round < 1000; ++Round) {
    std::string Bytes = Whole;
    for (size_t Change = 1 + Random() % 4; Change-- > 0;) {
      size_t Size = size_t(1) << (Random() % 4);
      // Mostly in the part with data: histograms are zeros.
      size_t Limit = Random() % 8 == 0 ? Bytes.size() : 6 * 4096;
      size_t At = Random() % (Limit / Size) * Size;
      uint64_t Value =
          Random() % 2 ? Wild[Random() % std::size(Wild)] : Random();
      Bytes.replace(At, Size, reinterpret_cast<const char *>(&Value), Size);
    }
    Result<loopscope::Run> R = parse(Bytes);
    if (!R)
      continue;
    report(*R);
    for (const Node &N : R->Nodes)
      ASSERT_TRUE(N.Parent == None || N.Parent < R->Nodes.size());
  }
}
