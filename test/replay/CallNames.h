// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names and ids of CUDA's calls, as CUPTI tells them.

#ifndef LOOPSCOPE_TEST_REPLAY_CALLNAMES_H
#define LOOPSCOPE_TEST_REPLAY_CALLNAMES_H

#include <cstdint>

namespace replay {

/// A call of CUDA's runtime (domain 2) or driver (domain 1).
struct CallName {
  uint32_t Domain, Id;
  const char *Name; ///< with the version that CUPTI gives it
};

/// The call by its name, in the form for default streams of threads where the
/// scenario has those. Ends the process if the library doesn't have it.
const CallName *callNamed(uint32_t Domain, const char *Name);

/// The name of the call with this id; null where there is none.
const char *nameOfCall(uint32_t Domain, uint32_t Id);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_CALLNAMES_H
