// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which phase the operators of autograd's own threads serve. LibTorch doesn't
// say who called backward(); it is known where only one living thread can have:
//
//   engine  a thread whose first operator outside all spans is one of the
//           engine's tasks. It works for callers.
//   caller  the main thread, once it has run an operator, and threads that have
//           run one in a phase of their own.
//
// With one caller, what an engine's thread runs is recorded below a span that
// stands for the caller's innermost phase. With several, or outside its phases,
// it stays below the thread's root.

#ifndef LOOPSCOPE_TORCH_ROLES_H
#define LOOPSCOPE_TORCH_ROLES_H

namespace loopscope::runtime {

/// The operator FUNCTION, called NAME, is about to become a span of the calling
/// thread. Before it begins the span that stands for the phase served.
void settleRole(const void *Function, const char *Name);

/// The operator has ended; and with it the span that settleRole() began for it.
void endServing(const void *Function);

/// The calling thread ends. On a slow path, while it has its tree.
void endRoleOfThread();

/// For a forked child: no callers, and the calling thread may be any.
void resetRolesAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TORCH_ROLES_H
