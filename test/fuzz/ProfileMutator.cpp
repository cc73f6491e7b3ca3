// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer's mutator for profiles. A profile is mostly zeros, and changing a
// random byte seldom has any effect; so most mutations here replace one number
// of a record by a value that might hurt.

#include <loopscope/profile_format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

namespace {
// A region with numbers: offset and length in bytes.
using Region = std::pair<size_t, size_t>;

class Mutator {
public:
  Mutator(uint8_t *Data, size_t Size, size_t MaxSize, unsigned Seed)
      : Data(Data), Size(Size), MaxSize(MaxSize), Random(Seed) {}
  size_t mutate();

private:
  void findRegions();
  void changeNumber();
  void appendChunk();
  uint64_t hurtful(uint64_t Value);
  size_t below(size_t Limit) { return Limit == 0 ? 0 : Random() % Limit; }

  uint8_t *Data;
  size_t Size;
  size_t MaxSize;
  std::minstd_rand Random;
  std::vector<Region> Regions;
  std::vector<Region> Chunks;
};

// The header, the chunks' headers, and a few entries of each chunk, weighted by
// how much a reader does with them.
void Mutator::findRegions() {
  size_t At = std::min<size_t>(Size, LOOPSCOPE_PROFILE_PAGE);
  Regions.emplace_back(0, offsetof(loopscope_profile_header, host));
  loopscope_chunk_header Head;
  while (Size - At >= sizeof(Head)) {
    std::memcpy(&Head, Data + At, sizeof(Head));
    if (Head.size < sizeof(Head) || Head.size > Size - At)
      break;
    Regions.emplace_back(At, sizeof(Head));
    Chunks.emplace_back(At, Head.size);
    size_t First = At + sizeof(Head);
    size_t Entries = static_cast<size_t>(Head.entry_size) * Head.capacity;
    Entries = std::min(Entries, static_cast<size_t>(Head.size) - sizeof(Head));
    bool IsEvents = Head.type == LOOPSCOPE_CHUNK_EVENTS;
    for (int I = 0; I < 3 && Entries != 0; ++I)
      Regions.emplace_back(First,
                           IsEvents ? std::min<size_t>(Entries, 256) : Entries);
    At += static_cast<size_t>(Head.size);
  }
}

uint64_t Mutator::hurtful(uint64_t Value) {
  switch (below(6)) {
  case 0:
    return Value ^ (uint64_t(1) << below(64));
  case 1:
    return Value + below(8) - 4;
  case 2:
    return below(16);
  case 3:
    return UINT64_MAX >> below(64);
  case 4:
    return ~(UINT64_MAX >> below(64));
  default:
    return Value * (below(2) != 0 ? 2 : LOOPSCOPE_PROFILE_PAGE);
  }
}

void Mutator::changeNumber() {
  Region Where = Regions[below(Regions.size())];
  constexpr std::array<size_t, 4> Widths = {8, 8, 4, 2};
  size_t Width = Widths[below(Widths.size())];
  size_t At = Where.first + below(Where.second / Width) * Width;
  if (At + Width > Size)
    return;
  uint64_t Value = 0;
  // Copies of other numbers give valid indices and offsets.
  Region From = Regions[below(Regions.size())];
  size_t Other = From.first + below(From.second / Width) * Width;
  bool Copies = below(4) == 0 && Other + Width <= Size;
  std::memcpy(&Value, Data + (Copies ? Other : At), Width);
  if (!Copies)
    Value = hurtful(Value);
  std::memcpy(Data + At, &Value, Width);
}

// Duplicates a chunk at the end, and adjusts the header.
void Mutator::appendChunk() {
  if (Chunks.empty())
    return;
  Region Chunk = Chunks[below(Chunks.size())];
  if (Chunk.second > MaxSize - std::min(Size, MaxSize))
    return;
  std::memcpy(Data + Size, Data + Chunk.first, Chunk.second);
  Size += Chunk.second;
  uint64_t Used = Size;
  std::memcpy(Data + offsetof(loopscope_profile_header, used_bytes), &Used,
              sizeof(Used));
}

size_t Mutator::mutate() {
  size_t Kind = below(16);
  if (Size < LOOPSCOPE_PROFILE_PAGE || Kind == 0)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  findRegions();
  if (Kind == 1)
    appendChunk();
  else if (Kind == 2)
    Size = LOOPSCOPE_PROFILE_PAGE + below(Size - LOOPSCOPE_PROFILE_PAGE + 1);
  else
    for (size_t Times = 1 + below(4); Times != 0; --Times)
      changeNumber();
  return Size;
}
} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  return Mutator(Data, Size, MaxSize, Seed).mutate();
}
