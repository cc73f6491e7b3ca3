// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LibTorch calls, and the attachment.

#include "observer.h"

#include "base/loaded.h"
#include "base/system.h"
#include "base/thread_memory.h"
#include "extension.h"
#include "facts.h"
#include "inputs.h"
#include "library.h"
#include "links.h"
#include "process/facts.h"
#include "profile/sums.h"
#include "roles.h"
#include "tree/open_ranges.h"
#include "tree/span_names.h"

#include <loopscope/named_losses.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
const SpanName OtherOperators = {0,
                                 {LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_OPERATOR,
                                  0, "(other operators)", "LibTorch", ""},
                                 nullptr};
constinit SpanNames Names(OtherOperators);

struct ObserverState {
  TorchLibrary Torch;
  uint64_t Looked; // objects that were loaded at the last look
  uint32_t IsBusy; // somebody attaches, or has: for good
  uint32_t IsObserved;
};
constinit ObserverState State = {};

// The names that were met last, by the address of their text. Operators have
// static names; others are written anew to the same address, so the text is
// compared. One for all threads: libraries that are loaded late share little
// static memory of threads, and each has a copy of the runtime.
constexpr uintptr_t RecentCount = 256;
constinit const SpanName *Recent[RecentCount] = {};

// operators=top: what is open; nothing below it is a span.
LOOPSCOPE_PER_THREAD(const void *, Outermost);

bool isEqual(const char *One, const char *Other) {
  for (; *One == *Other; ++One, ++Other)
    if (*One == 0)
      return true;
  return false;
}

const SpanName *nameOf(const char *Text) {
  if (Text == nullptr || *Text == 0)
    Text = "(unnamed)";
  const SpanName *&Place =
      Recent[reinterpret_cast<uintptr_t>(Text) / 8 % RecentCount];
  const SpanName *Known = __atomic_load_n(&Place, __ATOMIC_ACQUIRE);
  if (Known == nullptr || !isEqual(Known->Site.__name, Text)) {
    Known = Names.intern(nullptr, Text);
    __atomic_store_n(&Place, Known, __ATOMIC_RELEASE);
  }
  if (Names.isOther(Known))
    addToCounter(LOOPSCOPE_COUNT_OPERATORS_UNNAMED, 1);
  return Known;
}

// Whether wrappers record the asynchronous operator NAME, where it is called.
bool hasOwnSpan(const char *Name) {
  constexpr const char *Prefix = "gloo:";
  return __atomic_load_n(&Process.RecordsGloo, __ATOMIC_RELAXED) &&
         Name != nullptr && strncmp(Name, Prefix, strlen(Prefix)) == 0;
}

// WITH_INPUTS: operators are apart by their inputs.
template <bool WithInputs> TorchContext beginOperator(const void *Function) {
  TorchContext None = {nullptr};
  if (*Outermost != nullptr) {
    linkOperator(Function, nullptr);
    return None;
  }
  if (State.Torch.IsAsync(Function)) {
    if (!hasOwnSpan(State.Torch.Name(Function)))
      addToCounter(LOOPSCOPE_COUNT_OPERATORS_LEFT_OUT, 1);
    return None;
  }
  if (TorchSettings.Operators == OperatorChoice::Top)
    *Outermost = Function;
  const char *Name = State.Torch.Name(Function);
  settleRole(Function, Name);
  const SpanName *Known = nameOf(Name);
  const loopscope_site *Site = &Known->Site;
  if (WithInputs && !Names.isOther(Known))
    Site = siteOfInputs(*Known, Function);
  pushRange(Function, Site);
  linkOperator(Function, Site);
  return None;
}

void endOperator(const void *Function, void * /*Context*/) {
  if (*Outermost != nullptr && *Outermost != Function)
    return;
  *Outermost = nullptr;
  popRange(Function);
  endServing(Function);
}
} // namespace

void loopscope::runtime::registerOperators() {
  registerCounter(LOOPSCOPE_COUNT_OPERATORS_LEFT_OUT);
  registerCounter(LOOPSCOPE_COUNT_OPERATORS_UNNAMED);
  registerLinks();
  registerInputs();
}

void loopscope::runtime::lookForTorch() {
  if (!wantsOperators() || __atomic_load_n(&State.IsBusy, __ATOMIC_RELAXED))
    return;
  uint64_t Loaded = loadedObjects();
  if (__atomic_exchange_n(&State.Looked, Loaded, __ATOMIC_RELAXED) == Loaded ||
      __atomic_exchange_n(&State.IsBusy, 1, __ATOMIC_ACQUIRE) != 0)
    return;
  TextBuffer<256> Why;
  TextBuffer<320> Message;
  switch (findTorch(State.Torch, Why)) {
  case TorchSearch::NotLoaded:
    __atomic_store_n(&State.IsBusy, 0, __ATOMIC_RELEASE);
    return;
  case TorchSearch::Unusable:
    Message << "operators: " << Why.c_str() << "; none are recorded";
    warn(Message.c_str());
    return;
  case TorchSearch::Found:
    break;
  }
  bool WithInputs = TorchSettings.Shapes;
  TorchCallback Observer = {WithInputs ? beginOperator<true>
                                       : beginOperator<false>,
                            endOperator,
                            1.0,
                            {},
                            WithInputs,
                            false,
                            false};
  for (bool &Each : Observer.Scopes)
    Each = true;
  allowFacts(State.Torch);
  State.Torch.AddGlobalCallback(Observer);
  __atomic_store_n(&State.IsObserved, 1, __ATOMIC_RELAXED);
}

void loopscope::runtime::explainMissingShapes() {
  if (TorchSettings.Shapes && torchFacts() == nullptr &&
      __atomic_load_n(&State.IsObserved, __ATOMIC_RELAXED) != 0)
    warn("shapes=on: only loopscope_instrument(target TORCH) makes LibTorch's "
         "shapes known; none were recorded");
}

void loopscope::runtime::endTorchOfThread() {
  endRangesOfThread();
  endRoleOfThread();
}

void loopscope::runtime::resetTorchAfterFork() {
  Names.unlock();
  resetRangesAfterFork();
  resetRolesAfterFork();
  resetLinksAfterFork();
  resetInputsAfterFork();
  *Outermost = nullptr;
}
