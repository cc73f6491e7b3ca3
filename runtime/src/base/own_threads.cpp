// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A short list, by thread ids.

#include "own_threads.h"

#include <link.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t MostOwnThreads = 8;

struct OwnThreads {
  int Ids[MostOwnThreads]; // 0: a free place
};
OwnThreads Own;

int addStorage(dl_phdr_info *Info, size_t /*Size*/, void *Data) {
  for (int I = 0; I < Info->dlpi_phnum; ++I)
    if (const ElfW(Phdr) &Part = Info->dlpi_phdr[I]; Part.p_type == PT_TLS)
      *static_cast<size_t *>(Data) += Part.p_memsz + Part.p_align;
  return 0;
}
} // namespace

size_t loopscope::runtime::stackSize(size_t Room) {
  dl_iterate_phdr(addStorage, &Room);
  return Room;
}

void loopscope::runtime::noteOwnThread() {
  int Tid = static_cast<int>(syscall(SYS_gettid));
  for (int &Each : Own.Ids) {
    int Free = 0;
    if (__atomic_compare_exchange_n(&Each, &Free, Tid, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) ||
        Free == Tid)
      return;
  }
}

bool loopscope::runtime::isOwnThread(int Tid) {
  for (const int &Each : Own.Ids)
    if (__atomic_load_n(&Each, __ATOMIC_RELAXED) == Tid)
      return true;
  return false;
}

void loopscope::runtime::resetOwnThreads() { Own = {}; }
