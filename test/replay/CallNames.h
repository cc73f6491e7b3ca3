// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and ids of CUDA's calls in CUPTI.

#ifndef LOOPSCOPE_TEST_REPLAY_CALLNAMES_H
#define LOOPSCOPE_TEST_REPLAY_CALLNAMES_H

#include <cstdint>

namespace replay {

/// A call of CUDA's runtime (domain 2) or driver (domain 1).
struct CallName {
  uint32_t Domain, Id;
  const char *Name; ///< with CUPTI's version suffix
};

/// The call with this name, in the variant for per-thread default streams if
/// the scenario has those. Ends the process if the library lacks it.
const CallName *callNamed(uint32_t Domain, const char *Name);

/// The name of the call with this id, or null.
const char *nameOfCall(uint32_t Domain, uint32_t Id);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_CALLNAMES_H
