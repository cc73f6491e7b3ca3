// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// glibc has this function since 2.36; with our own, tools linked there also run
// on systems with an older one.

#include <cstdint>
#include <sys/random.h>

extern "C" uint32_t arc4random() {
  uint32_t Number = 0;
  while (getrandom(&Number, sizeof(Number), 0) != sizeof(Number)) {
  }
  return Number;
}
