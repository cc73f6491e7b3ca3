// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises library calls that only wait for other threads.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_WAITCALLS_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_WAITCALLS_H

#include <string_view>

namespace loopscope::instrument {

/// Whether \p Callee, a qualified name, is a function of the C++ library, POSIX
/// or C11 that returns when other threads have done something: of condition
/// variables, futures, threads, barriers, latches and semaphores. Locks don't
/// count, because most of them don't wait.
bool isWaitCall(std::string_view Callee);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_WAITCALLS_H
