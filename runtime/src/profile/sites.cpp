// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interns sites by content: one place in the source has several descriptors if
// a template has several instances or libraries share a header.

#include "sites.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/probe.h"
#include "base/slow_lock.h"
#include "chunks.h"
#include "node_links.h"
#include "profile_file.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t TableSize =
    32768; // a power of two; untouched pages are free
constexpr uint32_t MaxSites = TableSize / 4 * 3;
constexpr uint32_t CacheSize = 1024; // a power of two
constexpr uint32_t StringBytes = 16 * 1024 - sizeof(Chunk);
constexpr uint32_t SitesPerChunk = 63; // a page
constexpr uint32_t MissingPerChunk = 252;

struct TableEntry {
  uint64_t Hash; // of the whole content: equal hashes count as equality
  uint32_t IndexPlusOne;
};

struct CacheEntry {
  const loopscope_site *Site;
  uint32_t Index;
};

struct SiteTables {
  Chunk *Strings; // the chunks that have room
  Chunk *Sites;
  Chunk *Missing;
  uint32_t SiteCount;
  TableEntry ByContent[TableSize];
  CacheEntry ByAddress[CacheSize];
  // Most sites share their file with others, many their function.
  uint64_t FileHash, FunctionHash;
  loopscope_profile_string File, Function;
};
SiteTables Interned;

// With an end, so that "ab", "c" isn't "a", "bc".
uint64_t addText(uint64_t Hash, const char *String) {
  for (; *String != 0; ++String)
    Hash = addToHash(Hash, static_cast<unsigned char>(*String));
  return addToHash(Hash, 0xffU);
}

// Adds a string unless it equals the one with hash LAST.
bool addRepeated(const char *String, uint64_t &LastHash,
                 loopscope_profile_string &Last,
                 loopscope_profile_string &Result) {
  uint64_t Hash = addText(EmptyHash, String);
  if (Hash != LastHash) {
    if (!storeString(String, Last))
      return false;
    LastHash = Hash;
  }
  Result = Last;
  return true;
}

uint32_t addSite(const loopscope_site &Site) {
  if (Interned.SiteCount >= MaxSites)
    return LOOPSCOPE_NONE;
  Chunk *C = roomFor(Interned.Sites, LOOPSCOPE_CHUNK_SITES, 1, SitesPerChunk,
                     sizeof(loopscope_profile_site));
  if (C == nullptr)
    return LOOPSCOPE_NONE;
  auto *New = reinterpret_cast<loopscope_profile_site *>(entries(C)) + C->used;
  New->kind = Site.__kind;
  New->line = Site.__line;
  if (!storeString(Site.__name, New->name) ||
      !addRepeated(Site.__file, Interned.FileHash, Interned.File, New->file) ||
      !addRepeated(Site.__function, Interned.FunctionHash, Interned.Function,
                   New->function))
    return LOOPSCOPE_NONE;
  publish(C, 1);
  return Interned.SiteCount++;
}

uint32_t findOrAdd(const loopscope_site &Site) {
  uint64_t Hash = addText(addText(addText(EmptyHash, Site.__name), Site.__file),
                          Site.__function);
  Hash = addToHash(addToHash(Hash, Site.__line), Site.__kind);
  TableEntry &Entry =
      *probe(Interned.ByContent, TableSize, foldHash(Hash),
             [Hash](const TableEntry &Each) {
               return Each.IndexPlusOne == 0 || Each.Hash == Hash;
             });
  if (Entry.IndexPlusOne != 0)
    return Entry.IndexPlusOne - 1;
  uint32_t Index = addSite(Site);
  if (Index != LOOPSCOPE_NONE)
    Entry = {Hash, Index + 1};
  return Index;
}
} // namespace

const char *loopscope::runtime::addString(const char *String, size_t Length,
                                          loopscope_profile_string &Result) {
  auto Bytes = static_cast<uint32_t>(Length < MaxString ? Length : MaxString);
  Chunk *C =
      roomFor(Interned.Strings, LOOPSCOPE_CHUNK_STRINGS, Bytes, StringBytes, 1);
  if (C == nullptr)
    return nullptr;
  char *Copy = entries(C) + C->used;
  memcpy(Copy, String, Bytes);
  Result.offset = chunkOffset(C) + sizeof(Chunk) + C->used;
  Result.length = Bytes;
  publish(C, Bytes);
  return Copy;
}

bool loopscope::runtime::storeString(const char *String,
                                     loopscope_profile_string &Result) {
  return addString(String, strnlen(String, MaxString), Result) != nullptr;
}

uint32_t loopscope::runtime::siteIndex(const loopscope_site *Site) {
  if (Site->__abi != LOOPSCOPE_SITE_ABI || Site->__name == nullptr ||
      Site->__file == nullptr || Site->__function == nullptr)
    return LOOPSCOPE_NONE;
  SlowLock Lock;
  CacheEntry &Cached =
      Interned.ByAddress[(reinterpret_cast<uintptr_t>(Site) >> 4) &
                         (CacheSize - 1)];
  if (Cached.Site != Site) {
    uint32_t Index = findOrAdd(*Site);
    if (Index == LOOPSCOPE_NONE)
      return Index;
    Cached = {Site, Index};
  }
  return Cached.Index;
}

void loopscope::runtime::addMissingFile(const char *FileName) {
  SlowLock Lock;
  Chunk *C = roomFor(Interned.Missing, LOOPSCOPE_CHUNK_MISSING, 1,
                     MissingPerChunk, sizeof(loopscope_profile_string));
  if (C == nullptr)
    return;
  auto *Entry =
      reinterpret_cast<loopscope_profile_string *>(entries(C)) + C->used;
  if (storeString(FileName, *Entry))
    publish(C, 1);
}

void loopscope::runtime::forgetSites(uintptr_t Begin, uintptr_t End) noexcept {
  // A site that is gone from the source. Not null: see NodeLinks.
  static const loopscope_site Gone = {};
  if (Header == nullptr)
    return;
  SlowLock Lock;
  memset(Interned.ByAddress, 0, sizeof(Interned.ByAddress));
  for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
    auto *Nodes = reinterpret_cast<Node *>(entries(C));
    for (uint32_t I = 0; C->type == LOOPSCOPE_CHUNK_NODES && I < C->used; ++I) {
      auto At = reinterpret_cast<uintptr_t>(siteOf(&Nodes[I]));
      // Meanwhile other threads may predict by this address, but for other
      // sites.
      if (At >= Begin && At < End)
        __atomic_store_n(&links(&Nodes[I]).Site, &Gone, __ATOMIC_RELAXED);
    }
  }
}

void loopscope::runtime::resetSites() {
  clearGlobal(&Interned, sizeof(Interned));
}
