// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of own times, a rank knows only its own; rank 0 compares them.

#include "summary.h"

#include "base/memory.h"

#include <loopscope/profile_copy.h>

#include <string.h>

using namespace loopscope::runtime;
using namespace loopscope;
using Packed = loopscope_packed_profile;

namespace {
// More ranks than this are a summary by default.
constexpr uint64_t MostByDefault = 256;
// A packed copy is never made smaller than this many bytes, or samples.
constexpr uint64_t MostBytes = 16384;
constexpr uint32_t MostSamples = 384;
// Strides double, so more than half of these stay: enough to compare.
constexpr uint32_t FewestSamples = 24;

uint64_t bytesFor(uint64_t Ranks) {
  uint64_t Share = LOOPSCOPE_SUMMARY_BYTES / (Ranks == 0 ? 1 : Ranks);
  return Share < MostBytes ? Share : MostBytes;
}

// As many samples as may fit; the same in all ranks, so that they have the same
// steps.
uint32_t samplesFor(uint64_t Ranks) {
  constexpr uint64_t BytesBySample = 128;
  uint32_t Samples = MostSamples;
  while (Samples > FewestSamples && Samples * BytesBySample > bytesFor(Ranks))
    Samples /= 2;
  return Samples;
}

// Nanoseconds of TICKS by the clock of a profile.
uint64_t nsOf(const loopscope_profile_header &H, uint64_t Ticks) {
  double Apart = static_cast<double>(H.last_ticks - H.start_ticks);
  if (H.clock_kind == LOOPSCOPE_CLOCK_MONOTONIC ||
      H.last_ticks <= H.start_ticks || H.last_ns <= H.start_ns)
    return Ticks;
  return static_cast<uint64_t>(static_cast<double>(Ticks) *
                               static_cast<double>(H.last_ns - H.start_ns) /
                               Apart);
}

// The mean of the shorter three quarters of COUNT sorted times.
uint64_t usualOf(const uint64_t *Sorted, uint32_t Count) {
  uint32_t Taken = Count - Count / 4;
  uint64_t Sum = 0;
  for (uint32_t I = 0; I < Taken; ++I)
    Sum += Sorted[I];
  return Taken == 0 ? 0 : Sum / Taken;
}

// The times of the loop with the most steps in COPY.
void describeSteps(const profile_pack::Bytes &Copy, Packed &Head) {
  const auto &Header =
      *reinterpret_cast<const loopscope_profile_header *>(Copy.At);
  uint32_t Most = 0;
  for (uint64_t At = 0; At < Copy.Size;) {
    profile_pack::Piece Next = profile_pack::pieceAt(Copy, At);
    if (Next.Size == 0)
      return;
    const auto *Chunk =
        reinterpret_cast<const loopscope_chunk_header *>(Copy.At + At);
    profile_copy::Source Of{Chunk, At};
    At += Next.Size;
    if (Next.Type != LOOPSCOPE_CHUNK_OWN_STEPS)
      continue;
    uint64_t Sorted[MostSamples + LOOPSCOPE_LONG_STEPS];
    uint32_t Count = 0;
    for (uint32_t I = 0; I < Chunk->used; ++I) {
      const auto &Step = profile_copy::entryOf<loopscope_own_step>(Of, I);
      if (Step.sequence == 0 || Step.steps != 1 ||
          Count == MostSamples + LOOPSCOPE_LONG_STEPS)
        continue;
      uint32_t Place = Count++;
      for (; Place > 0 && Sorted[Place - 1] > Step.own_ticks; --Place)
        Sorted[Place] = Sorted[Place - 1];
      Sorted[Place] = Step.own_ticks;
    }
    if (Count <= Most)
      continue;
    Most = Count;
    Head.own_ns = nsOf(Header, usualOf(Sorted, Count));
    Head.longest_ns = nsOf(Header, Sorted[Count - 1]);
  }
}

// Adds the rank of those in OF with the most VALUE that isn't chosen yet.
template <typename Value>
void addMost(uint32_t Ranks, Value ValueOf, uint32_t *Chosen, uint32_t &Count) {
  uint32_t Best = Ranks;
  for (uint32_t R = 0; R < Ranks; ++R) {
    bool IsChosen = false;
    for (uint32_t I = 0; I < Count; ++I)
      IsChosen |= Chosen[I] == R;
    if (!IsChosen && (Best == Ranks || ValueOf(R) > ValueOf(Best)))
      Best = R;
  }
  if (Best != Ranks && Count < MostWhole)
    Chosen[Count++] = Best;
}

// The lower median of own times.
uint64_t medianOwn(const RankTimes *Of, uint32_t Ranks) {
  uint64_t Low = 0;
  uint64_t High = UINT64_MAX;
  while (Low < High) {
    uint64_t Middle = Low + (High - Low) / 2;
    uint32_t Count = 0;
    for (uint32_t R = 0; R < Ranks; ++R)
      Count += Of[R].OwnNs <= Middle ? 1 : 0;
    if (Count >= (Ranks + 1) / 2)
      High = Middle;
    else
      Low = Middle + 1;
  }
  return Low;
}
} // namespace

bool loopscope::runtime::isSummary(MergedRanks Wanted, uint64_t Ranks) {
  return Wanted == MergedRanks::Summary ||
         (Wanted == MergedRanks::Auto && Ranks > MostByDefault);
}

ProfileCopy loopscope::runtime::makeBase(uint64_t Ranks) {
  return copyBriefly(samplesFor(Ranks));
}

ProfileCopy loopscope::runtime::packBriefly(const profile_pack::Bytes &Base,
                                            uint64_t Ranks) {
  for (uint32_t Samples = samplesFor(Ranks);; Samples /= 2) {
    ProfileCopy Copy = copyBriefly(Samples);
    if (Copy.Bytes == nullptr)
      return {};
    profile_pack::Bytes Whole{Copy.Bytes, Copy.Size};
    uint64_t Mapped = sizeof(Packed) + profile_pack::mostPacked(Copy.Size);
    ProfileCopy Result{static_cast<char *>(mapMemory(Mapped)), 0, Mapped};
    if (Result.Bytes == nullptr) {
      Copy.release();
      return {};
    }
    Packed Head{};
    memcpy(Head.magic, LOOPSCOPE_PACKED_MAGIC, sizeof(Head.magic));
    Head.size = Copy.Size;
    describeSteps(Whole, Head);
    memcpy(Result.Bytes, &Head, sizeof(Head));
    Result.Size = sizeof(Head) +
                  profile_pack::pack(Whole, Base, Result.Bytes + sizeof(Head));
    Copy.release();
    if (Result.Size <= bytesFor(Ranks) || Samples <= FewestSamples)
      return Result;
    Result.release();
  }
}

uint32_t loopscope::runtime::chooseWhole(const RankTimes *Of, uint32_t Ranks,
                                         uint32_t *Chosen) {
  constexpr uint32_t MostOfKind = 4;
  if (Ranks == 0)
    return 0;
  uint32_t Count = 0;
  Chosen[Count++] = 0;
  // Times are compared from the median on: nearest it is most.
  uint64_t Median = medianOwn(Of, Ranks);
  addMost(
      Ranks,
      [&](uint32_t R) {
        uint64_t Own = Of[R].OwnNs;
        return ~(Own > Median ? Own - Median : Median - Own);
      },
      Chosen, Count);
  for (uint32_t I = 0; I < MostOfKind; ++I)
    addMost(Ranks, [&](uint32_t R) { return Of[R].OwnNs; }, Chosen, Count);
  for (uint32_t I = 0; I < MostOfKind; ++I)
    addMost(Ranks, [&](uint32_t R) { return Of[R].LongestNs; }, Chosen, Count);
  return Count;
}
