// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts facts to the model.

#ifndef LOOPSCOPE_RUN_READ_FACTSREADER_H
#define LOOPSCOPE_RUN_READ_FACTSREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/ProfileBytes.h"

#include <vector>

namespace loopscope {

/// Reads all facts, safe to print. Those without a name or with a value that
/// can't be, and a name's second ones, are counted in Lost.BadRecords; types of
/// newer runtimes are left out.
std::vector<RunFact> readFacts(ProfileBytes &Records, Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_FACTSREADER_H
