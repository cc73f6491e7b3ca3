// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that the program loads and unloads, with the names of their kernels.
//
// CUPTI's headers don't promise that a name outlives its module. So a module's
// names are unreadable after it was unloaded, and the next module's names have
// the same address.

#ifndef LOOPSCOPE_TEST_REPLAY_MODULES_H
#define LOOPSCOPE_TEST_REPLAY_MODULES_H

#include <string>

namespace replay {

/// A permanent copy of TEXT.
const char *keepName(const std::string &Text);

/// The kernel name for a launch of FUNCTION: in its module's memory if it has a
/// module, else permanent.
const char *symbolOf(const void *Function);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_MODULES_H
