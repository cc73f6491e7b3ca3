// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The NVTX functions that the core calls.

#include "extension.h"

#include "emit.h"
#include "process/options.h"
#include "read.h"
#include "tree/open_ranges.h"
#include "tree/subscriptions.h"

using namespace loopscope::runtime;

NvtxOptions loopscope::runtime::NvtxSettings;

namespace {
bool parseNvtx(char *Value, Options & /*Core*/, Text &Message) {
  static constexpr const char *Names[] = {"off", "on", "read"};
  static constexpr NvtxUse Uses[] = {NvtxUse::Nothing, NvtxUse::Emit,
                                     NvtxUse::Read};
  uint32_t Chosen = chooseValue(Value, Names, 3, "nvtx", Message);
  if (Chosen == 3)
    return false;
  NvtxSettings.Use = Uses[Chosen];
  return true;
}
constexpr OptionWord Words[] = {{"nvtx=off|on|read", parseNvtx}};

void emitForThread(Thread * /*Own*/) {
  if (startEmitting())
    watchSpans(NvtxExtension);
}

EntryPoint clientEntry() {
  return reinterpret_cast<EntryPoint>(attachNvtxClient);
}
} // namespace

const Extension loopscope::runtime::NvtxExtension = {
    .Name = NvtxExtensionName,
    .Words = Words,
    .Start = startReadingNvtx,
    .ThreadStarted = emitForThread,
    .ThreadEnded = endRangesOfThread,
    .SpanBegan = emitBegin,
    .SpanEnded = emitEnd,
    .ChildOfFork = resetNvtxAfterFork,
    .Entry = clientEntry,
};
