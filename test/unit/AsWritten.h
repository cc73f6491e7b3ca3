// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For functions whose calls a test looks for in stacks or code.

#ifndef LOOPSCOPE_UNIT_ASWRITTEN_H
#define LOOPSCOPE_UNIT_ASWRITTEN_H

/// A function that is neither inlined nor cloned nor merged with another one,
/// whatever the level of optimisation.
#ifdef __clang__
#define AS_WRITTEN __attribute__((noinline))
#else
#define AS_WRITTEN __attribute__((noipa))
#endif

#endif // LOOPSCOPE_UNIT_ASWRITTEN_H
