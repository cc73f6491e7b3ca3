// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points of this copy of the runtime, and the note that leads to them
// (objects.h).

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "base/objects.h"
#include "hooks_cold.h"
#include "process/process.h"
#include "profile/sites.h"
#include "tree/extension.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr SetSpanAmount AmountFunctions[] = {
#define AMOUNT(NAME, IDENTIFIER, NOUN) loopscope_##NAME,
    __LOOPSCOPE_AMOUNTS(AMOUNT)
#undef AMOUNT
};

EntryPoint findEntry(const char *Name) {
  for (const Extension *Each : Extensions)
    if (strcmp(Each->Name, Name) == 0 && Each->Entry != nullptr)
      return Each->Entry();
  return nullptr;
}
} // namespace

__attribute__((used)) const Entries loopscope::runtime::loopscope_entries_ = {
    EntriesVersion,
    startRuntime,
    loopscope_enter,
    loopscope_enter_adjacent,
    enterKeyedOfOther,
    loopscope_leave,
    loopscope_loop_enter,
    loopscope_step_begin,
    loopscope_step_end,
    loopscope_samples,
    loopscope_iterations,
    AmountFunctions,
    loopscope::SpanAmountCount,
    loopscope_draw_enter,
    loopscope_missing_file,
    forgetSites,
    &__loopscope_functions_active,
    findEntry};

// An ELF note with the name "Loopscope" and type 1; its contents are the
// distance from themselves to the entries.
__asm__(".pushsection .note.loopscope,\"a\",@note\n"
        ".balign 4\n"
        ".long 10, 8, 1\n"
        ".asciz \"Loopscope\"\n"
        ".balign 4\n"
        "0: .quad loopscope_entries_ - 0b\n"
        ".popsection\n");
