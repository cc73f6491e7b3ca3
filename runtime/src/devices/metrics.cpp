// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The METRICS and METRIC_SUMS chunks, and a hash table of the latter.

#include "metrics.h"

#include "base/memory.h"
#include "base/probe.h"
#include "base/slow_lock.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sites.h"

#include <string.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
using Sum = loopscope_metric_sum;

constexpr uint32_t MetricsPerChunk = 100; // a page
constexpr uint32_t SumsPerChunk = 72;     // a page
constexpr size_t FirstTableSize = 512;    // a power of two: a page of pointers

struct MetricStore {
  Chunk *Metrics;
  Chunk *Sums;
  // Open addressing; at most half full.
  Sum **Table;
  size_t TableSize;
  size_t TableUsed;
};
MetricStore Stored;

// The table's entry for the sum of METRIC and NODE, used or free.
Sum *&placeOf(Sum **Table, size_t Size, uint32_t Metric, uint32_t Node) {
  uint64_t Key = static_cast<uint64_t>(Node) << 32 | Metric;
  return *probe(
      Table, Size, (Key * 0x9e3779b97f4a7c15U) >> 32, [=](const Sum *Its) {
        return Its == nullptr || (Its->metric == Metric && Its->node == Node);
      });
}

bool growTable() {
  size_t Size = Stored.TableSize == 0 ? FirstTableSize : Stored.TableSize * 2;
  void *Memory = mapMemory(Size * sizeof(Sum *));
  if (Memory == nullptr)
    return false;
  auto **Table = static_cast<Sum **>(Memory);
  for (size_t I = 0; I < Stored.TableSize; ++I)
    if (Sum *Each = Stored.Table[I]; Each != nullptr)
      placeOf(Table, Size, Each->metric, Each->node) = Each;
  if (Stored.Table != nullptr)
    munmap(static_cast<void *>(Stored.Table), Stored.TableSize * sizeof(Sum *));
  Stored.Table = Table;
  Stored.TableSize = Size;
  return true;
}

Sum *findOrAdd(uint32_t Metric, uint32_t Node) {
  if (Stored.TableUsed * 2 >= Stored.TableSize && !growTable())
    return nullptr;
  Sum *&Place = placeOf(Stored.Table, Stored.TableSize, Metric, Node);
  if (Place != nullptr)
    return Place;
  SlowLock Lock;
  Chunk *C = roomFor(Stored.Sums, LOOPSCOPE_CHUNK_METRIC_SUMS, 1, SumsPerChunk,
                     sizeof(Sum));
  if (C == nullptr)
    return nullptr;
  Sum *New = reinterpret_cast<Sum *>(entries(C)) + C->used;
  New->metric = Metric;
  New->node = Node;
  publish(C, 1);
  Place = New;
  ++Stored.TableUsed;
  return New;
}
} // namespace

uint32_t loopscope::runtime::addMetric(const MetricInfo &Info, uint32_t Device,
                                       const char *DeviceName) {
  SlowLock Lock;
  Chunk *C = roomFor(Stored.Metrics, LOOPSCOPE_CHUNK_METRICS, 1,
                     MetricsPerChunk, sizeof(loopscope_metric));
  if (C == nullptr)
    return LOOPSCOPE_NONE;
  auto *New = reinterpret_cast<loopscope_metric *>(entries(C)) + C->used;
  New->unit = Info.Unit;
  New->device = Device;
  if (!storeString(Info.Name, New->name) ||
      !storeString(DeviceName, New->device_name))
    return LOOPSCOPE_NONE;
  publish(C, 1);
  return C->first_index + C->used - 1;
}

bool loopscope::runtime::addSample(uint32_t Metric, uint32_t Node,
                                   double Value) {
  Sum *S = findOrAdd(Metric, Node);
  if (S == nullptr)
    return false;
  uint32_t Sequence = S->sequence;
  __atomic_store_n(&S->sequence, Sequence + 1, __ATOMIC_RELAXED);
  orderStores();
  S->min = S->count == 0 || Value < S->min ? Value : S->min;
  S->max = S->count == 0 || Value > S->max ? Value : S->max;
  S->sum += Value;
  S->last = Value;
  ++S->count;
  __atomic_store_n(&S->sequence, Sequence + 2, __ATOMIC_RELEASE);
  return true;
}

void loopscope::runtime::resetMetrics() {
  if (Stored.Table != nullptr)
    munmap(static_cast<void *>(Stored.Table), Stored.TableSize * sizeof(Sum *));
  Stored = {};
}
