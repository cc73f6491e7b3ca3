// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extension behind LOOPSCOPE=stacks: samples of where threads use their
// processor time.
//
//   extension.cpp    the functions for the core, and the word stacks
//   timers.h         the threads, and the signal's handler
//   sample_signal.h  which signal, and why it meets nobody else
//   source.h         sends a thread the signal
//   walk.h           in the handler: registers -> a short stack
//   table.h          in the handler: a stack -> a slot of the profile
//   code.h           which code lies at which addresses

#ifndef LOOPSCOPE_STACKS_EXTENSION_H
#define LOOPSCOPE_STACKS_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension StacksExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_EXTENSION_H
