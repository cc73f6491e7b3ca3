// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOOPSCOPE=facts=FILE.

#ifndef LOOPSCOPE_FACTS_FILE_H
#define LOOPSCOPE_FACTS_FILE_H

namespace loopscope::runtime {

/// Keeps the facts of a file, a flat JSON object. What is wrong with it is a
/// line on stderr, of the first rank alone. Slow lock held.
void readFacts(const char *File);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_FACTS_FILE_H
