// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that tells a number adds it to its bin, so that nothing is lost
// without a background thread, or with a kill.

#include "extension.h"

#include "base/clock.h"
#include "base/own_floats.h"
#include "base/slow_lock.h"
#include "process/process.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/slow_path.h"
#include "tree/tree.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_format.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
using Record = loopscope_value_record;
using Bin = loopscope_value_bin;

constexpr uint32_t MostNames = 8;
constexpr uint64_t FirstWidthNs = 10 * NsPerMs;

struct ValuesState {
  Record *Of[MostNames]; // in the profile
  uint32_t Count;
};
ValuesState State;

// Finite, without arithmetic that would raise a flag.
bool isFinite(double Value) {
  constexpr uint64_t Exponent = uint64_t(0x7ff) << 52;
  uint64_t Bits = 0;
  memcpy(&Bits, &Value, sizeof(Bits));
  return (Bits & Exponent) != Exponent;
}

void merge(Bin &To, const Bin &From) {
  To.not_finite += From.not_finite;
  if (From.count == 0)
    return;
  if (To.count == 0 || From.min < To.min)
    To.min = From.min;
  if (To.count == 0 || From.max > To.max)
    To.max = From.max;
  To.count += From.count;
  To.sum += From.sum;
  To.last = From.last;
}

// Each two neighbours become one.
void fold(Record &Of) {
  for (uint32_t I = 0; I < LOOPSCOPE_VALUE_BINS / 2; ++I) {
    Bin Both = Of.bin[2 * I];
    merge(Both, Of.bin[2 * I + 1]);
    Of.bin[I] = Both;
  }
  memset(Of.bin + LOOPSCOPE_VALUE_BINS / 2, 0, sizeof(Of.bin) / 2);
  Of.width_ticks *= 2;
  Of.used = (Of.used + 1) / 2;
}

void add(Record &To, uint64_t Ticks, double Value) {
  while (Ticks / To.width_ticks >= LOOPSCOPE_VALUE_BINS)
    fold(To);
  auto Place = static_cast<uint32_t>(Ticks / To.width_ticks);
  if (Place >= To.used)
    To.used = Place + 1;
  bool IsFinite = isFinite(Value);
  merge(To.bin[Place], {IsFinite, !IsFinite, Value, Value, Value, Value});
}

// The record of NAME; null if there are too many, or no memory. Lock held.
Record *recordOf(const char *Name) {
  size_t Length =
      Name == nullptr ? 0 : strnlen(Name, LOOPSCOPE_VALUE_NAME_BYTES);
  if (Length == 0 || Length == LOOPSCOPE_VALUE_NAME_BYTES)
    return nullptr;
  for (uint32_t I = 0; I < State.Count; ++I)
    if (strcmp(State.Of[I]->name, Name) == 0)
      return State.Of[I];
  Chunk *C =
      State.Count == MostNames
          ? nullptr
          : addChunk(LOOPSCOPE_CHUNK_VALUES, State.Count, 1, sizeof(Record), 0);
  if (C == nullptr)
    return nullptr;
  auto *New = reinterpret_cast<Record *>(entries(C));
  memcpy(New->name, Name, Length);
  New->width_ticks = FirstWidthNs * TicksPerSecond / NsPerSecond;
  publish(C, 1);
  return State.Of[State.Count++] = New;
}

void start() { registerCounter(LOOPSCOPE_COUNT_VALUES_LOST); }

void reset() { State = {}; }

EntryPoint entry() { return reinterpret_cast<EntryPoint>(takeValue); }
} // namespace

void loopscope::runtime::takeValue(const char *Name, double Value) {
  if (!startRuntime())
    return;
  SlowPath Path(false);
  if (!Path || !ensureProfile()) {
    addToCounter(LOOPSCOPE_COUNT_VALUES_LOST, 1);
    return;
  }
  uint64_t Now = now();
  SlowLock Lock;
  Record *To = recordOf(Name);
  if (To == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_VALUES_LOST, 1);
    return;
  }
  uint32_t Sequence = To->sequence;
  __atomic_store_n(&To->sequence, Sequence + 1, __ATOMIC_RELAXED);
  orderStores();
  withOwnFloats([=] { add(*To, elapsed(Header->start_ticks, Now), Value); });
  __atomic_store_n(&To->sequence, Sequence + 2, __ATOMIC_RELEASE);
}

const Extension loopscope::runtime::ValuesExtension = {
    .Name = "values",
    .Words = {},
    .Start = start,
    .ChildOfFork = reset,
    .Entry = entry,
};
