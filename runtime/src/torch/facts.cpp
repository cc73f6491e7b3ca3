// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts may come before LibTorch is observed, and after.

#include "facts.h"

#include "base/objects.h"
#include "base/system.h"
#include "extension.h"
#include "process/process.h"

#include <dlfcn.h>

using namespace loopscope::runtime;

namespace {
struct FactsState {
  const loopscope_torch_facts *Facts; // null: none, or not allowed yet
  const loopscope_torch_facts *Waiting;
  uint32_t Major, Minor; // of the LibTorch that is observed; 0: none is
};
FactsState State;

// Takes the facts that wait, once LibTorch is observed, if they are about it.
void choose() {
  const loopscope_torch_facts *Facts =
      __atomic_load_n(&State.Waiting, __ATOMIC_ACQUIRE);
  uint32_t Major = __atomic_load_n(&State.Major, __ATOMIC_ACQUIRE);
  if (Facts == nullptr || Major == 0)
    return;
  if (Facts->torch_major != Major || Facts->torch_minor != State.Minor) {
    TextBuffer<400> Why;
    auto Version = [&Why](uint32_t Major, uint32_t Minor) {
      Why << int64_t{Major} << '.' << int64_t{Minor};
    };
    Why << "operators: LibTorch ";
    Version(Major, State.Minor);
    Why << " runs, but TORCH was compiled against ";
    Version(Facts->torch_major, Facts->torch_minor);
    Why << ": rebuild the program against ";
    Version(Major, State.Minor);
    Why << ". Until then backward operators don't name their forward ones, and "
           "shapes aren't recorded";
    warn(Why.c_str());
    return;
  }
  __atomic_store_n(&State.Facts, Facts, __ATOMIC_RELEASE);
}

// Keeps the object that has ADDRESS loaded. The program itself stays anyway.
void keepLoaded(const void *Address) {
  Dl_info Object;
  if (dladdr(Address, &Object) != 0 && Object.dli_fname != nullptr &&
      Object.dli_fname[0] != 0)
    dlopen(Object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void takeFacts(const loopscope_torch_facts *Facts) {
  if (Facts == nullptr || Facts->version != LOOPSCOPE_TORCH_FACTS_VERSION ||
      !startRuntime() || !wantsOperators())
    return;
  const loopscope_torch_facts *None = nullptr;
  if (!__atomic_compare_exchange_n(&State.Waiting, &None, Facts, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return; // another target's say the same
  keepLoaded(Facts);
  choose();
}
} // namespace

void loopscope_torch_attach(const loopscope_torch_facts *Facts) noexcept {
  callInRecorder(TorchExtension.Name, takeFacts, Facts);
}

EntryPoint loopscope::runtime::factsEntry() {
  return reinterpret_cast<EntryPoint>(takeFacts);
}

const loopscope_torch_facts *loopscope::runtime::torchFacts() {
  return __atomic_load_n(&State.Facts, __ATOMIC_ACQUIRE);
}

void loopscope::runtime::allowFacts(const TorchLibrary &Torch) {
  State.Minor = Torch.Minor;
  __atomic_store_n(&State.Major, Torch.Major, __ATOMIC_RELEASE);
  choose();
}
