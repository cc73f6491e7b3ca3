// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records in the profile which signal ended the program.

#ifndef LOOPSCOPE_CORE_SIGNALS_H
#define LOOPSCOPE_CORE_SIGNALS_H

namespace loopscope::runtime {

/// Watches the signals that end a program by default, unless the program has
/// handled them itself; it may still do so later. Called once.
void watchSignals();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_SIGNALS_H
