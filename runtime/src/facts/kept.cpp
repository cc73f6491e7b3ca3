// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of facts, in the order in which their names came.

#include "kept.h"

#include "base/slow_lock.h"
#include "process/process.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/slow_path.h"

#include <loopscope/named_losses.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
using Record = loopscope_fact_record;

constexpr uint32_t MostFacts = 128;
constexpr uint32_t RecordsPerChunk = 15; // a page

struct KeptFacts {
  Record All[MostFacts];
  Record *InProfile[MostFacts]; // null: not there
  uint32_t Count;
  Chunk *Last;
};
KeptFacts Kept;

// The place of a name, or Kept.Count.
uint32_t placeOf(const char *Name) {
  uint32_t I = 0;
  while (I < Kept.Count && strcmp(Kept.All[I].name, Name) != 0)
    ++I;
  return I;
}

// Copies TEXT; false if it was cut, between two characters of UTF-8.
template <size_t Size> bool copyText(char (&To)[Size], const char *Text) {
  size_t Length = strnlen(Text, Size);
  bool IsWhole = Length < Size;
  if (!IsWhole)
    for (Length = Size - 1;
         Length != 0 &&
         (static_cast<unsigned char>(Text[Length]) & 0xc0) == 0x80;)
      --Length;
  memcpy(To, Text, Length);
  memset(To + Length, 0, Size - Length);
  return IsWhole;
}

void write(Record &To, const Record &From) {
  uint32_t Sequence = To.sequence;
  __atomic_store_n(&To.sequence, Sequence + 1, __ATOMIC_RELAXED);
  orderStores();
  To.type = From.type;
  To.value = From.value;
  memcpy(To.name, From.name, sizeof(To.name));
  memcpy(To.text, From.text, sizeof(To.text));
  __atomic_store_n(&To.sequence, Sequence + 2, __ATOMIC_RELEASE);
}

// Without memory for a record, the fact isn't in the profile.
void writeToProfile(uint32_t Place) {
  if (Header == nullptr)
    return;
  Record *&To = Kept.InProfile[Place];
  if (To != nullptr) {
    write(*To, Kept.All[Place]);
    return;
  }
  Chunk *C = roomFor(Kept.Last, LOOPSCOPE_CHUNK_FACTS, 1, RecordsPerChunk,
                     sizeof(Record));
  if (C == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_FACTS_LOST, 1);
    return;
  }
  To = reinterpret_cast<Record *>(entries(C)) + C->used;
  write(*To, Kept.All[Place]);
  publish(C, 1);
}
} // namespace

void loopscope::runtime::keepFact(const ToldFact &Told) {
  size_t Length =
      Told.Name == nullptr ? 0 : strnlen(Told.Name, LOOPSCOPE_FACT_NAME_BYTES);
  bool HasName = Length != 0 && Length < LOOPSCOPE_FACT_NAME_BYTES;
  // Half a number would be another one.
  bool IsLong = Told.Type == LOOPSCOPE_FACT_NUMERAL &&
                strnlen(Told.Text, LOOPSCOPE_FACT_TEXT_BYTES) ==
                    LOOPSCOPE_FACT_TEXT_BYTES;
  uint32_t Place = HasName && !IsLong ? placeOf(Told.Name) : MostFacts;
  if (Place == MostFacts) {
    addToAllCounters(LOOPSCOPE_COUNT_FACTS_LOST, 1);
    return;
  }
  Record &To = Kept.All[Place];
  copyText(To.name, Told.Name);
  To.type = Told.Type;
  To.value = Told.Value;
  if (!copyText(To.text, Told.Text == nullptr ? "(null)" : Told.Text))
    addToAllCounters(LOOPSCOPE_COUNT_FACTS_CUT, 1);
  if (Place == Kept.Count)
    ++Kept.Count;
  writeToProfile(Place);
}

bool loopscope::runtime::isKept(const char *Name) {
  return placeOf(Name) != Kept.Count;
}

void loopscope::runtime::writeFacts() {
  for (uint32_t I = 0; I < Kept.Count; ++I)
    writeToProfile(I);
}

void loopscope::runtime::forgetFactRecords() {
  for (Record *&Each : Kept.InProfile)
    Each = nullptr;
  Kept.Last = nullptr;
}

void loopscope::runtime::takeFact(const ToldFact &Told) {
  if (!startRuntime())
    return;
  SlowPath Path(false);
  if (!Path) {
    addToCounter(LOOPSCOPE_COUNT_FACTS_LOST, 1);
    return;
  }
  SlowLock Lock;
  keepFact(Told);
}
