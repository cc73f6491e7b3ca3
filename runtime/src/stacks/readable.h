// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads memory that may not be there, in a signal's handler: a stack that is
// corrupt, an object that was unloaded. Each page is asked for once.

#ifndef LOOPSCOPE_STACKS_READABLE_H
#define LOOPSCOPE_STACKS_READABLE_H

#include "system_call.h"

#include <stdint.h>
#include <sys/syscall.h>

namespace loopscope::runtime {

/// Which pages can be read; remembers some that can. Callable in a signal
/// handler.
class Readable {
public:
  /// Whether BYTES from FROM on can be read. They span two pages at most.
  bool has(uintptr_t From, uintptr_t Bytes) {
    return hasPage(From / PageBytes) && hasPage((From + Bytes - 1) / PageBytes);
  }

private:
  static constexpr uintptr_t PageBytes = 4096;
  static constexpr uintptr_t Remembered = 32;

  bool hasPage(uintptr_t Page) {
    uintptr_t &Known = Pages[Page % Remembered];
    if (Page == 0 || Page == Known)
      return Page != 0;
    // The kernel reads the new mask before it notices the invalid operation.
    // Any other result (EFAULT, a sandbox's) counts as unreadable.
    constexpr long NothingToDo = -1;
    constexpr long SetBytes = 8;
    constexpr long InvalidChoice = -22;
    if (systemCall(SYS_rt_sigprocmask, NothingToDo,
                   static_cast<long>(Page * PageBytes), 0,
                   SetBytes) != InvalidChoice)
      return false;
    Known = Page;
    return true;
  }

  uintptr_t Pages[Remembered] = {};
};

/// The word at an address that is readable.
__attribute__((no_sanitize("address"))) inline uintptr_t
readWord(uintptr_t At) {
  return *reinterpret_cast<const uintptr_t *>(At);
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_READABLE_H
