// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which calls of libraries only wait for other threads ------*- C++ -*.

#ifndef LOOPSCOPE_INSTRUMENT_WAITCALLS_H
#define LOOPSCOPE_INSTRUMENT_WAITCALLS_H

#include <string_view>

namespace loopscope::instrument {

/// Whether CALLEE, a qualified name, is a function of the C++ library, POSIX or
/// C11 that returns when other threads have done something: of condition
/// variables, futures, threads, barriers, latches and semaphores. Locks aren't
/// among them, since most of them wait for nothing.
bool isWaitCall(std::string_view Callee);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_WAITCALLS_H
