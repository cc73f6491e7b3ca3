// What the core calls of NVTX.
#include "extension.h"

#include "emit.h"
#include "read.h"

using namespace loopscope::runtime;

namespace {
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
    .Start = startReadingNvtx,
    .ThreadStarted = emitForThread,
    .ThreadEnded = endNvtxThread,
    .SpanBegan = emitBegin,
    .SpanEnded = emitEnd,
    .ChildOfFork = resetNvtxAfterFork,
    .Entry = clientEntry,
};
