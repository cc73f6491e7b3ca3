// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of loopscope.h that tell facts.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "base/objects.h"
#include "extension.h"
#include "kept.h"

#include <string.h>

using namespace loopscope::runtime;

static void tell(const ToldFact &Told) {
  callInRecorder<void, const ToldFact &>(FactsExtension.Name, takeFact, Told);
}

__attribute__((weak)) void loopscope_fact_integer(const char *Name,
                                                  int64_t Value) noexcept {
  tell({Name, LOOPSCOPE_FACT_SIGNED, static_cast<uint64_t>(Value), ""});
}

__attribute__((weak)) void loopscope_fact_unsigned(const char *Name,
                                                   uint64_t Value) noexcept {
  tell({Name, LOOPSCOPE_FACT_UNSIGNED, Value, ""});
}

__attribute__((weak)) void loopscope_fact_number(const char *Name,
                                                 double Value) noexcept {
  uint64_t Bits = 0;
  memcpy(&Bits, &Value, sizeof(Bits));
  tell({Name, LOOPSCOPE_FACT_REAL, Bits, ""});
}

__attribute__((weak)) void loopscope_fact_flag(const char *Name,
                                               int Value) noexcept {
  tell({Name, LOOPSCOPE_FACT_BOOL, Value != 0, ""});
}

__attribute__((weak)) void loopscope_fact_text(const char *Name,
                                               const char *Value) noexcept {
  tell({Name, LOOPSCOPE_FACT_TEXT, 0, Value});
}
