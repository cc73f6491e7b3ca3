// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that the program loads and unloads, with the names of their kernels.
//
// CUPTI's headers promise no life of a name beyond its module: a module's names
// can't be read after it was unloaded, and the next module has its names at the
// same place.

#ifndef LOOPSCOPE_TEST_REPLAY_MODULES_H
#define LOOPSCOPE_TEST_REPLAY_MODULES_H

#include <string>

namespace replay {

/// A copy of TEXT that stays.
const char *keepName(const std::string &Text);

/// The name of the kernel that a launch of FUNCTION is of: in its module's
/// memory where it has a module, else one that stays.
const char *symbolOf(const void *Function);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_MODULES_H
