// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the records that belong together.

#include "Run/Read/TwoProfiles.h"

using namespace loopscope;

namespace {
// Where the runtime wrote a chunk, which AT in a file without copies is.
uint64_t originOf(const loopscope_profile_header &Of,
                  const loopscope_chunk_header &C, size_t At) {
  return (Of.flags & LOOPSCOPE_FLAG_COPY) != 0 ? C.copied_from : At;
}
} // namespace

std::vector<const loopscope_chunk_header *>
loopscope::chunksOf(std::span<const std::byte> Profile) {
  std::vector<const loopscope_chunk_header *> Result;
  const auto &Header =
      *reinterpret_cast<const loopscope_profile_header *>(Profile.data());
  uint64_t End = std::min<uint64_t>(Header.used_bytes, Profile.size());
  for (uint64_t At = Header.header_size;
       At < End && End - At >= sizeof(loopscope_chunk_header);) {
    const auto *Head =
        reinterpret_cast<const loopscope_chunk_header *>(Profile.data() + At);
    if (Head->magic != LOOPSCOPE_CHUNK_MAGIC || Head->size < sizeof(*Head) ||
        Head->size % LOOPSCOPE_PROFILE_PAGE != 0 || Head->size > End - At)
      break;
    Result.push_back(Head);
    At += Head->size;
  }
  return Result;
}

TwoProfiles::TwoProfiles(std::span<std::byte> Now,
                         std::span<const std::byte> Then)
    : Header(reinterpret_cast<loopscope_profile_header *>(Now.data())),
      Earlier(reinterpret_cast<const loopscope_profile_header *>(Then.data())) {
  auto PlaceOf = [](std::span<const std::byte> In,
                    const loopscope_chunk_header *C) {
    return static_cast<size_t>(reinterpret_cast<const std::byte *>(C) -
                               In.data());
  };
  std::unordered_map<uint64_t, const loopscope_chunk_header *> ByOrigin;
  for (const loopscope_chunk_header *C : chunksOf(Then))
    ByOrigin.emplace(originOf(*Earlier, *C, PlaceOf(Then, C)), C);
  for (const loopscope_chunk_header *C : chunksOf(Now)) {
    size_t At = PlaceOf(Now, C);
    auto Found = ByOrigin.find(originOf(*Header, *C, At));
    bool IsKnown = Found != ByOrigin.end() && Found->second->type == C->type &&
                   Found->second->entry_size == C->entry_size;
    Chunks.push_back(
        {reinterpret_cast<loopscope_chunk_header *>(Now.data() + At),
         IsKnown ? Found->second : nullptr});
  }
}

// How many records of C, each with EXTRA more bytes elsewhere, are there.
static uint32_t countIn(const loopscope_chunk_header &C,
                        TwoProfiles::Which Records, size_t Extra) {
  uint64_t Room = (C.size - sizeof(C)) / (C.entry_size + Extra);
  uint32_t Count = Records == TwoProfiles::Which::All ? C.capacity : C.used;
  return static_cast<uint32_t>(std::min<uint64_t>({Count, C.capacity, Room}));
}

uint32_t TwoProfiles::Chunk::count(Which Records, size_t Extra) const {
  return countIn(*Now, Records, Extra);
}

TwoProfiles::Record TwoProfiles::Chunk::record(uint32_t Place) const {
  size_t Size = Now->entry_size;
  auto EntryOf = [&](auto *C) { return (C + 1); };
  auto *New = reinterpret_cast<std::byte *>(EntryOf(Now)) + Place * Size;
  const std::byte *Old = nullptr;
  if (Then != nullptr && Place < countIn(*Then, Which::All, 0))
    Old = reinterpret_cast<const std::byte *>(EntryOf(Then)) + Place * Size;
  return {New, Old, Now->first_index + Place, Place, Size};
}

std::vector<TwoProfiles::Chunk> TwoProfiles::chunks(uint32_t Type,
                                                    size_t Size) const {
  std::vector<Chunk> Result;
  for (const Chunk &C : Chunks)
    if (C.Now->type == Type && C.Now->entry_size >= Size &&
        C.Now->entry_size % 8 == 0)
      Result.push_back(C);
  return Result;
}
