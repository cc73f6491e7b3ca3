// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed copies of random profiles: what is unpacked is what was packed,
// whatever the base, and damage is found or harmless.

#include <loopscope/profile_pack.h>

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

using namespace loopscope::profile_pack;

namespace {
using Engine = std::mt19937_64;

Bytes in(const std::string &Of) { return {Of.data(), Of.size()}; }

void fill(std::string &Of, size_t From, size_t To, Engine &Random) {
  constexpr uint64_t Sparse = 4;
  for (size_t At = From; At < To; At += WordSize) {
    uint64_t Word = Random() % Sparse != 0 ? 0 : Random() >> Random() % 64;
    std::memcpy(Of.data() + At, &Word, WordSize);
  }
}

void addChunk(std::string &To, uint32_t Type, uint64_t Pages, Engine &Random) {
  size_t At = To.size();
  To.resize(At + Pages * Page);
  loopscope_chunk_header Head{};
  Head.magic = LOOPSCOPE_CHUNK_MAGIC;
  Head.type = Type;
  Head.size = Pages * Page;
  std::memcpy(To.data() + At, &Head, sizeof(Head));
  fill(To, At + sizeof(Head), To.size(), Random);
}

std::string randomProfile(Engine &Random) {
  constexpr uint64_t MostChunks = 9;
  constexpr uint64_t MostPages = 3;
  constexpr uint64_t Types = 5;
  std::string Result(Page, '\0');
  fill(Result, 0, Page, Random);
  for (uint64_t I = Random() % MostChunks; I != 0; --I)
    addChunk(Result, 1 + Random() % Types, 1 + Random() % MostPages, Random);
  return Result;
}

// The same program in another rank: some words differ.
std::string otherRank(std::string Of, Engine &Random) {
  for (size_t At = sizeof(loopscope_chunk_header); At < Of.size(); At += Page)
    if (Random() % 2 == 0)
      Of[At + Random() % (Page - sizeof(loopscope_chunk_header))] ^= 0x55;
  return Of;
}

std::string packed(const std::string &Copy, const std::string &Base) {
  std::string To(mostPacked(Copy.size()), '\0');
  uint64_t Size = pack(in(Copy), in(Base), To.data());
  EXPECT_LE(Size, To.size());
  To.resize(Size);
  return To;
}

TEST(Pack, WhatIsUnpackedIsWhatWasPacked) {
  constexpr int Cases = 400;
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases each time.
  Engine Random(1);
  for (int Case = 0; Case < Cases; ++Case) {
    std::string Base = Case % 5 == 0 ? std::string() : randomProfile(Random);
    std::string Copy =
        Case % 2 == 0 ? otherRank(Base, Random) : randomProfile(Random);
    std::string Small = packed(Copy, Base);
    std::string Again(Copy.size(), '\1');
    ASSERT_TRUE(unpack(in(Small), in(Base), Again.data(), Again.size()));
    ASSERT_EQ(Again, Copy);
    if (Copy.empty())
      continue;
    std::string First(Page, '\1');
    ASSERT_TRUE(unpack(in(Small), in(Base), First.data(), Page));
    ASSERT_EQ(First, Copy.substr(0, Page));
  }
}

TEST(Pack, AnEqualCopyTakesAFewBytesForEachPiece) {
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases each time.
  Engine Random(2);
  std::string Base(Page, 'x');
  constexpr uint64_t Chunks = 7;
  for (uint32_t I = 1; I <= Chunks; ++I)
    addChunk(Base, I, I, Random);
  EXPECT_EQ(packed(Base, Base).size(), (Chunks + 1) * (PieceHead + 3));
}

TEST(Pack, PiecesThatMovedStillMatchTheirs) {
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases each time.
  Engine Random(3);
  std::string Base(Page, 'x');
  addChunk(Base, 1, 2, Random);
  addChunk(Base, 2, 2, Random);
  std::string Copy(Page, 'x');
  addChunk(Copy, 3, 1, Random); // the base has none of this type
  Copy += Base.substr(Page);
  std::string Alone(Page, 'x');
  Alone += Copy.substr(Page, Page);
  EXPECT_EQ(packed(Copy, Base).size(),
            packed(Alone, Base).size() + 2 * (PieceHead + 3));
}

TEST(Pack, DamageIsFoundOrHarmless) {
  constexpr int Cases = 3000;
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases each time.
  Engine Random(4);
  std::string Base = randomProfile(Random);
  std::string Copy = otherRank(Base, Random);
  std::string Small = packed(Copy, Base);
  int Refused = 0;
  for (int Case = 0; Case < Cases; ++Case) {
    std::string Damaged = Small;
    Damaged.resize(Random() % (Small.size() + 1));
    for (uint64_t I = Random() % 4; I != 0 && !Damaged.empty(); --I)
      Damaged[Random() % Damaged.size()] = static_cast<char>(Random());
    std::string Exact(Damaged); // its end is the end of its memory
    std::string To(Copy.size(), '\0');
    Refused += unpack(in(Exact), in(Base), To.data(), To.size()) ? 0 : 1;
  }
  EXPECT_GT(Refused, Cases / 2);
  for (size_t Size = 0; Size < Small.size(); Size += 7) {
    std::string To(Copy.size(), '\0');
    EXPECT_FALSE(
        unpack(in(Small.substr(0, Size)), in(Base), To.data(), To.size()));
  }
}
} // namespace
