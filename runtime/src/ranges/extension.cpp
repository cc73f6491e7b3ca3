// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of ranges, and what goes wrong with them.

#include "extension.h"

#include "process/free_ranges.h"
#include "process/process.h"
#include "profile/sums.h"
#include "tree/span_names.h"

#include <loopscope/named_losses.h>

#include <errno.h>

using namespace loopscope::runtime;

namespace {
const SpanName OtherRanges = {
    0,
    {LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, "(other ranges)", "", ""},
    nullptr};
constinit SpanNames Names(OtherRanges);

uint64_t begin(const char *Text) {
  const SpanName *Name = Names.intern(nullptr, Text);
  if (Names.isOther(Name))
    addToCounter(LOOPSCOPE_COUNT_RANGES_UNNAMED, 1);
  uint64_t Id = startFreeRange(Name);
  if (Id == 0)
    addToCounter(LOOPSCOPE_COUNT_RANGES_LOST, 1);
  return Id;
}

void end(uint64_t Id) {
  if (endFreeRange(Id) == RangeEnd::NoRange)
    addToCounter(LOOPSCOPE_COUNT_RANGES_BAD_ID, 1);
}

void start() {
  registerCounter(LOOPSCOPE_COUNT_RANGES_LOST);
  registerCounter(LOOPSCOPE_COUNT_RANGES_UNNAMED);
  registerCounter(LOOPSCOPE_COUNT_RANGES_BAD_ID);
  registerCounter(LOOPSCOPE_COUNT_RANGE_EVENTS_LOST);
}

void reset() {
  resetFreeRanges();
  Names.unlock();
}

EntryPoint entry() { return reinterpret_cast<EntryPoint>(takeRange); }
} // namespace

uint64_t loopscope::runtime::takeRange(const char *Name, uint64_t Id) {
  int Saved = errno;
  uint64_t Result = 0;
  if (startRuntime() && Name != nullptr)
    Result = begin(Name);
  else if (startRuntime())
    end(Id);
  errno = Saved;
  return Result;
}

const Extension loopscope::runtime::RangesExtension = {
    .Name = "ranges",
    .Words = {},
    .Start = start,
    .ChildOfFork = reset,
    .Entry = entry,
};
