// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without marks, before which the runtime was preloaded: it is
// recorded once it has used some processor time. Shells, launchers and other
// short programs, which get the runtime as well, leave nothing.

#ifndef LOOPSCOPE_PROCESS_PROGRAM_H
#define LOOPSCOPE_PROCESS_PROGRAM_H

namespace loopscope::runtime {

/// Words of LOOPSCOPE= that apply before the user's; null: the program was
/// built with the runtime. The preloaded library replaces it.
const char *preloadedOptions();

/// Waits, on a thread of the runtime, until the program is worth a profile;
/// then calls BEGIN there.
void watchProgram(void (*Begin)());

/// Ends the watch: no profile is made any more. Waits up to a tenth of a second
/// for one that is just being made.
void endWatch();

/// For a forked child, which has no such thread.
void resetWatch();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_PROGRAM_H
