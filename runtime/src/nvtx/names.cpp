// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table that is read without a lock and never grows.

#include "names.h"

#include "core/process.h"
#include "core/system.h"
#include "core/tree.h"

#include <pthread.h>
#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr size_t MostNames = 2048;
constexpr size_t TableSize = MostNames * 2; // a power of two
constexpr size_t LongestText = 200;
constexpr size_t BlockSize = 64 * 1024;

// Memory that names are cut from; a block never goes.
struct Block {
  char *Begin;
  size_t Used;
};
constexpr size_t MostBlocks = 32; // enough for all names at their longest

struct NameState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  NvtxName *Table[TableSize] = {};
  size_t Used = 0; // of the table
  Block Blocks[MostBlocks] = {};
  size_t BlockCount = 0;
};
constinit NameState Names;

const NvtxName Others = {
    0,
    {LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, "(other ranges)", "NVTX", ""},
    nullptr};

uint64_t hash(const NvtxName *Domain, const char *Text, size_t Length) {
  uint64_t Result = 0xcbf29ce484222325U ^ reinterpret_cast<uint64_t>(Domain);
  for (size_t I = 0; I < Length; ++I)
    Result = (Result ^ static_cast<unsigned char>(Text[I])) * 0x100000001b3U;
  Result ^= Result >> 32;
  return Result == 0 ? 1 : Result;
}

// Where a name with HASH is, or would be.
NvtxName **placeOf(uint64_t Hash) {
  for (size_t At = Hash;; ++At) {
    NvtxName **Place = &Names.Table[At & (TableSize - 1)];
    NvtxName *Name = __atomic_load_n(Place, __ATOMIC_ACQUIRE);
    if (Name == nullptr || Name->Hash == Hash)
      return Place;
  }
}

char *takeMemory(size_t Size) {
  Size = (Size + 15) & ~size_t(15);
  if (Names.BlockCount == 0 ||
      BlockSize - Names.Blocks[Names.BlockCount - 1].Used < Size) {
    if (Names.BlockCount == MostBlocks)
      return nullptr;
    void *Memory = mapMemory(BlockSize);
    if (Memory == nullptr)
      return nullptr;
    Names.Blocks[Names.BlockCount] = {static_cast<char *>(Memory), 0};
    __atomic_store_n(&Names.BlockCount, Names.BlockCount + 1, __ATOMIC_RELEASE);
  }
  Block &B = Names.Blocks[Names.BlockCount - 1];
  char *Result = B.Begin + B.Used;
  B.Used += Size;
  return Result;
}

// Lock held. Null without memory.
NvtxName *makeName(const NvtxName *Domain, const char *Text, size_t Length,
                   uint64_t Hash) {
  constexpr size_t Room = 2 * LongestText + 2;
  TextBuffer<Room> Whole;
  if (Domain != nullptr)
    Whole << Domain->Site.__name << ':';
  Whole.append(Text, Length);
  char *Memory = takeMemory(sizeof(NvtxName) + Whole.size() + 1);
  if (Memory == nullptr)
    return nullptr;
  auto *Name = reinterpret_cast<NvtxName *>(Memory);
  char *Copy = Memory + sizeof(NvtxName);
  memcpy(Copy, Whole.c_str(), Whole.size() + 1);
  Name->Hash = Hash;
  Name->Domain = Domain;
  Name->Site = {LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, Copy, "NVTX", ""};
  return Name;
}

// The length of TEXT, at most LongestText and not in the middle of a character.
size_t textLength(const char *Text) {
  size_t Length = strnlen(Text, LongestText + 1);
  if (Length <= LongestText)
    return Length;
  Length = LongestText;
  while (Length != 0 &&
         (static_cast<unsigned char>(Text[Length]) & 0xc0) == 0x80)
    --Length;
  return Length;
}
} // namespace

const NvtxName *loopscope::runtime::internNvtxName(const NvtxName *Domain,
                                                   const char *Text) {
  size_t Length = textLength(Text);
  uint64_t Hash = hash(Domain, Text, Length);
  if (NvtxName *Known = __atomic_load_n(placeOf(Hash), __ATOMIC_ACQUIRE))
    return Known;
  pthread_mutex_lock(&Names.Mutex);
  NvtxName **Place = placeOf(Hash);
  NvtxName *Name = *Place;
  if (Name == nullptr && Names.Used < MostNames) {
    Name = makeName(Domain, Text, Length, Hash);
    if (Name != nullptr) {
      ++Names.Used;
      __atomic_store_n(Place, Name, __ATOMIC_RELEASE);
    }
  }
  pthread_mutex_unlock(&Names.Mutex);
  if (Name != nullptr)
    return Name;
  count(LOOPSCOPE_COUNT_NVTX_UNNAMED);
  return &Others;
}

bool loopscope::runtime::isNvtxName(const void *Handle) {
  const auto *At = static_cast<const char *>(Handle);
  size_t Count = __atomic_load_n(&Names.BlockCount, __ATOMIC_ACQUIRE);
  for (size_t I = 0; I < Count; ++I)
    if (At >= Names.Blocks[I].Begin && At < Names.Blocks[I].Begin + BlockSize)
      return true;
  return Handle == &Others;
}

void loopscope::runtime::unlockNvtxNames() {
  pthread_mutex_init(&Names.Mutex, nullptr);
}
