// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of names.

#include "span_names.h"

#include "base/deferral.h"
#include "base/hash.h"
#include "base/mutex_lock.h"
#include "base/probe.h"
#include "base/system.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr size_t LongestText = 200;

uint64_t hash(const SpanName *Domain, const char *Text, size_t Length) {
  uint64_t Result = foldHash(
      addToHash(EmptyHash ^ reinterpret_cast<uint64_t>(Domain), Text, Length));
  return Result == 0 ? 1 : Result;
}

// The length of TEXT, at most LongestText, without splitting a character.
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

// The slot for HASH, used or free.
SpanName **SpanNames::placeOf(uint64_t Hash) {
  return probe(Table, TableSize, Hash, [Hash](SpanName *&Place) {
    SpanName *Name = __atomic_load_n(&Place, __ATOMIC_ACQUIRE);
    return Name == nullptr || Name->Hash == Hash;
  });
}

// Lock held. Null if out of memory.
SpanName *SpanNames::make(const SpanName *Domain, const char *Text,
                          size_t Length, uint64_t Hash) {
  constexpr size_t Room = 2 * LongestText + 2;
  TextBuffer<Room> Whole;
  if (Domain != nullptr)
    Whole << Domain->Site.__name << ':';
  Whole.append(Text, Length);
  char *Taken = Memory.take(sizeof(SpanName) + Whole.size() + 1);
  if (Taken == nullptr)
    return nullptr;
  auto *Name = reinterpret_cast<SpanName *>(Taken);
  char *Copy = Taken + sizeof(SpanName);
  memcpy(Copy, Whole.c_str(), Whole.size() + 1);
  Name->Hash = Hash;
  Name->Domain = Domain;
  Name->Site = {
      LOOPSCOPE_SITE_ABI, Others.Site.__kind, 0, Copy, Others.Site.__file, ""};
  return Name;
}

const SpanName *SpanNames::intern(const SpanName *Domain, const char *Text) {
  size_t Length = textLength(Text);
  uint64_t Hash = hash(Domain, Text, Length);
  if (SpanName *Known = __atomic_load_n(placeOf(Hash), __ATOMIC_ACQUIRE))
    return Known;
  Deferral Deferred;
  MutexLock Lock(Mutex);
  SpanName **Place = placeOf(Hash);
  SpanName *Name = *Place;
  if (Name == nullptr && Used < MostNames) {
    Name = make(Domain, Text, Length, Hash);
    if (Name != nullptr) {
      ++Used;
      __atomic_store_n(Place, Name, __ATOMIC_RELEASE);
    }
  }
  return Name != nullptr ? Name : &Others;
}

bool SpanNames::has(const void *Handle) const {
  return Memory.has(Handle) || Handle == &Others;
}
