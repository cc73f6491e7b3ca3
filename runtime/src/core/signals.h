// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notes in the profile by which signal a program ended.

#ifndef LOOPSCOPE_CORE_SIGNALS_H
#define LOOPSCOPE_CORE_SIGNALS_H

namespace loopscope::runtime {

/// Watches the signals that end a program by default, as far as the program
/// hasn't set its own mind on them; it may do so later too. Called once.
void watchSignals();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_SIGNALS_H
